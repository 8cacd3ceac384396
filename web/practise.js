// Practise: a position to solve. You make a move, and are told how good it is and what the others are worth.
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { make, speak } from "./element.js";
import { ARROWS, movesList } from "./moves.js";
import { judge, sentence } from "./judge.js";
import { parseBoard, parseVariant, words } from "./notation.js";
import { ready } from "./ready.js";
import { KEYS, legal, MOVES } from "./rules.js";

export class Practise {
  /** `onopen({ variant, board })` shows a position on the main board. */
  constructor({ onopen } = {}) {
    this.view = new BoardView("Position", { swipe: (move) => this.play(move) });
    this.title = make("h2", { id: `practise-${++count}` });
    this.told = make("p", { class: "note" });
    this.pads = make("div", { class: "row-of buttons pads", role: "group", "aria-label": "Your move" }, MOVES.map((move) => make("button", {
      type: "button", "data-move": move, "aria-label": move, text: ARROWS[move], onclick: () => this.play(move),
    })));
    this.verdict = make("div", { class: "practise-verdict", role: "status" });
    const button = (text, onclick, extra = {}) => make("button", { type: "button", text, onclick, ...extra });
    this.again = button("Try again", () => this.ask());
    this.next = button("Next", () => this.go(this.at + 1), { class: "main" });
    this.show = button("Show the best move", () => this.reveal());
    this.openButton = button("Open on the board", () => {
      this.element.close();
      onopen({ variant: this.item.variant, board: this.item.board, best: this.item.best });
    });
    this.element = make("dialog", { class: "practise", "aria-labelledby": this.title.id, onkeydown: (event) => this.key(event), onclose: () => this.closed?.() },
      make("div", { class: "practise-head" }, this.title, button("Close", () => this.element.close(), { class: "quiet" })),
      this.told, this.view.element, this.pads, this.verdict,
      make("div", { class: "row-of buttons" }, this.next, this.again, this.show, this.openButton));
  }

  /** Practises positions `{ variant, board, played, best }`; `onanswer(item, right)` hears about the first try at each. */
  open(items, { onanswer = () => {}, onclose = () => {} } = {}) {
    if (!this.element.isConnected) document.body.append(this.element);
    Object.assign(this, { items, onanswer, closed: onclose, right: 0, tried: 0 });
    if (!this.element.open) this.element.showModal();
    this.go(0);
  }

  go(at) {
    if (at >= this.items.length) {
      this.finish();
      return;
    }
    this.at = at;
    this.item = this.items[at];
    this.first = true;
    this.variant = parseVariant(this.item.variant);
    this.board = parseBoard(this.item.board, this.variant.shape);
    const { id } = this.variant;
    this.position = ready(id).then(() => ask("position", { variant: id, board: this.item.board, search: true }));
    this.position.catch(() => {});
    this.ask();
  }

  /** Shows the position, and waits for a move. */
  ask() {
    const { items, at, variant, board } = this;
    this.waiting = true;
    this.title.textContent = items.length > 1 ? `Find the best move (${at + 1} of ${items.length})` : "Find the best move";
    this.told.textContent = `${words(variant.id)}. ${this.item.played ? `${sentence(this.item.played)} was played here.` : ""}`;
    this.view.show(board);
    this.show.hidden = this.pads.hidden = false;
    this.again.hidden = this.next.hidden = true;
    for (const pad of this.pads.children) pad.disabled = !legal(board).includes(pad.dataset.move);
    this.verdict.replaceChildren();
    this.pads.querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
  }

  async play(move) {
    if (!this.waiting) return;
    if (!legal(this.board).includes(move)) {
      speak(`${move} is not possible`);
      return;
    }
    const { item } = this;
    this.waiting = false;
    this.verdict.replaceChildren(make("p", { text: "Looking …" }));
    try {
      const position = await this.position;
      if (item !== this.item) return;
      this.judge(move, position);
    } catch (error) {
      if (item !== this.item) return;
      this.verdict.replaceChildren(make("p", { class: "trouble", text: error.message }));
      this.settle();
    }
  }

  judge(move, position) {
    const { graded, right, text } = judge(move, position);
    const said = make("p", { class: "verdict", "data-grade": graded?.name ?? false, "data-right": String(right), text: `${right ? "✓" : "✕"} ${text}` });
    this.verdict.replaceChildren(said, movesList(position, null));
    if (this.first && graded) {
      this.first = false;
      this.tried += 1;
      if (right) this.right += 1;
      this.onanswer(this.item, right);
    }
    this.settle(right);
  }

  /** The best move, which counts as not known. */
  async reveal() {
    if (!this.waiting) return;
    const { item: asked } = this;
    this.waiting = false;
    try {
      const position = await this.position;
      if (asked !== this.item) return;
      if (this.first) this.onanswer(asked, false);
      this.first = false;
      this.verdict.replaceChildren(make("p", { class: "verdict", text: `Best is ${position.best ?? position.moves[0]?.move ?? "unknown"}.` }), movesList(position, null));
    } catch (error) {
      this.verdict.replaceChildren(make("p", { class: "trouble", text: error.message }));
    }
    this.settle();
  }

  settle(right = false) {
    this.show.hidden = this.pads.hidden = true;
    this.again.hidden = right;
    const last = this.at === this.items.length - 1;
    this.next.hidden = last && this.items.length === 1;
    this.next.textContent = last ? "Finish" : "Next";
    (this.next.hidden ? this.again.hidden ? this.openButton : this.again : this.next).focus({ preventScroll: true });
  }

  finish() {
    this.element.close();
    speak(`${this.right} of ${this.tried} right`);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = KEYS[event.key];
    if (move && this.waiting) this.play(move);
    else if (!this.waiting && event.key.toLowerCase() === "n" && !this.next.hidden) this.next.click();
    else if (!this.waiting && event.key.toLowerCase() === "r" && !this.again.hidden) this.ask();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

let count = 0;
