// Slider against Dropper: the winner plays by a proven strategy, you play the other side.
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { field, make, segments, select, speak, takesKeys } from "./element.js";
import { ARROWS } from "./moves.js";
import { empty, exponent, parseShape, write } from "./notation.js";
import { whole } from "./numbers.js";
import { KEYS, MOVES, legal, open, put, slide, isWon } from "./rules.js";

const CONTESTS = [
  ["2x3 16 2", "2x3 to 16, drops of 2: you drop"],
  ["3x3 32 2,4", "3x3 to 32, drops of 2 and 4: you drop"],
  ["3x3 512 2", "3x3 to 512, drops of 2: you drop"],
  ["2x2 16 2,4", "2x2 to 16, drops of 2 and 4: you slide"],
  ["3x3 64 2,4", "3x3 to 64, drops of 2 and 4: you slide"],
  ["2x2 32 2", "2x2 to 32, drops of 2: you slide"],
];

export class ContestView {
  constructor() {
    this.contest = select([...CONTESTS, ["own", "Another contest …"]], CONTESTS[0][0], () => this.chosen());
    this.shape = make("input", { type: "text", value: "2x3", size: 5, autocomplete: "off" });
    this.to = select(Array.from({ length: 10 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]), "16");
    this.drops = select([["2", "2 alone"], ["2,4", "2 and 4"]], "2");
    this.own = make("form", { class: "row-of", hidden: true, onsubmit: (event) => { event.preventDefault(); this.begin(); } },
      field("Shape", this.shape), field("To", this.to), field("Drops", this.drops), make("button", { text: "Begin" }));
    this.tile = segments("Tile to drop", [["2", "2"], ["4", "4"]], "2");
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.view = new BoardView("Board of the contest", { drop: (cell) => this.dropped(cell), swipe: (move) => this.slid(move) });
    this.slides = make("div", { class: "row-of buttons" }, MOVES.map((move) => make("button", { type: "button", "data-move": move, onclick: () => this.slid(move) }, make("span", { text: `${ARROWS[move]} `, "aria-hidden": true }), move)));
    this.says = make("p", { class: "says", role: "status" });
    this.proof = make("p", { class: "note" });
    this.log = make("ol", { class: "line from-one" });
    this.again = make("button", { type: "button", text: "From the empty board again", onclick: () => this.begin() });
    this.back = make("button", { type: "button", text: "↶ Undo", onclick: () => this.undo() });
    this.element = make("div", { class: "bench" },
      make("div", { class: "left" }, field("Contest", this.contest), this.own, this.wrong, this.view.element, this.tile.element, this.slides,
        make("div", { class: "row-of buttons" }, this.back, this.again)),
      make("div", { class: "middle" },
        make("section", { class: "panel", "aria-labelledby": "contest-says" }, make("h2", { id: "contest-says", text: "The contest" }), this.says, this.proof,
          make("p", { class: "note", text: "Slider slides and wants the target tile. Dropper puts tiles into empty cells and wants the board to be stuck before that. Dropper begins on the empty board. The side that can force its win plays by the proof, and you play the other side: a proof shows how to win, not how best to lose. To drop or to slide, choose the contest." })),
        make("section", { class: "panel", "aria-labelledby": "contest-log" }, make("h2", { id: "contest-log", text: "What happened" }), this.log)));
    document.addEventListener("keydown", (event) => {
      if (!this.active || event.defaultPrevented || takesKeys(event.target) || event.ctrlKey || event.metaKey) return;
      if (this.you !== "slider" || !KEYS[event.key]) return;
      event.preventDefault();
      this.slid(KEYS[event.key]);
    });
  }

  show() {
    if (!this.board) this.begin();
  }

  chosen() {
    this.own.hidden = this.contest.value !== "own";
    if (this.contest.value !== "own") this.begin();
    else this.shape.focus();
  }

  async begin() {
    const mine = (this.game = {});
    this.wrong.hidden = true;
    try {
      const [shape, to, drops] = this.contest.value === "own" ? [this.shape.value.trim(), this.to.value, this.drops.value] : this.contest.value.split(" ");
      this.asked = { shape, to, drops };
      this.target = exponent(to);
      const board = empty(parseShape(shape));
      this.says.textContent = "Proving who wins …";
      const answer = await ask("strategy", this.asked);
      if (mine !== this.game) return;
      this.board = board;
      this.past = [];
      this.seen = {};
      this.log.replaceChildren();
      this.winner = answer.winner;
      this.you = this.winner === "slider" ? "dropper" : "slider";
      this.proof.textContent = this.winner === "slider"
        ? `Slider can force the ${to}, whatever you drop.${answer.positions === null ? "" : ` The proof knows what to do in ${whole(answer.positions)} positions.`}`
        : `Dropper can keep the ${to} away, whatever you slide.${answer.positions === null ? " The tile is out of reach on this board." : ` The proof knows what to do in ${whole(answer.positions)} positions.`}`;
      this.turnOf = "dropper";
      await this.go(mine);
    } catch (error) {
      if (mine === this.game) this.trouble(error);
    }
  }

  /** Plays on until it is your turn or it is over. */
  async go(mine = this.game) {
    for (;;) {
      const over = this.over();
      if (over || this.turnOf === this.you) break;
      this.render();
      const answer = await ask("strategy", { ...this.asked, board: write(this.board) });
      if (mine !== this.game) return;
      if (this.turnOf === "slider") {
        // Where every slide will do, the proof does not choose.
        const move = answer.move ?? legal(this.board)[0];
        this.slideTo(move);
      } else {
        const cell = answer.cell ?? open(this.board)[0];
        const tile = answer.tile ?? 2;
        this.dropTo(cell, tile);
      }
    }
    this.render();
  }

  place(cell) {
    const { cols } = this.board;
    return `at ${Math.floor(cell / cols) + 1},${(cell % cols) + 1}`;
  }

  slideTo(move) {
    const done = slide(this.board, move);
    this.apply(done.board, `slides ${move}`, { merged: done.merged, slid: { before: this.board, paths: done.paths } });
  }

  dropTo(cell, tile) {
    this.apply(put(this.board, cell, Math.log2(tile)), `drops a ${tile} ${this.place(cell)}`, { fresh: cell });
  }

  /** Makes the step of the side to play; `seen` is how it is shown. */
  apply(board, text, seen) {
    const who = this.turnOf;
    this.past.push({ board: this.board, turnOf: who });
    this.board = board;
    this.seen = seen;
    this.turnOf = who === "slider" ? "dropper" : "slider";
    this.log.append(make("li", {}, make("span", { class: "ply" }, `${who === "slider" ? "Slider" : "Dropper"} ${text}`)));
    this.log.scrollTop = this.log.scrollHeight;
    speak(`${who} ${text}`);
  }

  over() {
    if (isWon(this.board, this.target)) return "slider";
    if (this.turnOf === "slider" && legal(this.board).length === 0) return "dropper";
    return null;
  }

  dropped(cell) {
    if (this.turnOf !== "dropper" || this.you !== "dropper" || this.over() || this.board.cells[cell] !== 0) return;
    this.dropTo(cell, Number(this.tile.value));
    this.go().catch((error) => this.trouble(error));
  }

  slid(move) {
    if (this.turnOf !== "slider" || this.you !== "slider" || this.over()) return;
    if (!legal(this.board).includes(move)) {
      speak(`${move} changes nothing`);
      return;
    }
    this.slideTo(move);
    this.go().catch((error) => this.trouble(error));
  }

  undo() {
    const at = this.past.findLastIndex((step) => step.turnOf === this.you);
    if (at < 0) return;
    ({ board: this.board, turnOf: this.turnOf } = this.past[at]);
    this.past.length = at;
    this.seen = {};
    while (this.log.children.length > at) this.log.lastElementChild.remove();
    this.render();
  }

  render() {
    const over = this.over();
    const mine = !over && this.turnOf === this.you;
    const dropping = mine && this.you === "dropper";
    this.view.show(this.board, { mode: dropping ? "drop" : "view", ...this.seen });
    this.tile.element.hidden = this.you !== "dropper" || this.asked.drops === "2";
    if (this.asked.drops === "2") this.tile.value = "2";
    this.slides.hidden = this.you !== "slider";
    const can = mine && this.you === "slider" ? legal(this.board) : [];
    for (const button of this.slides.children) button.disabled = !can.includes(button.dataset.move);
    this.back.disabled = !this.past.some((step) => step.turnOf === this.you);
    this.says.textContent = over === "slider" ? `Slider has the ${this.asked.to}: Slider wins.`
      : over === "dropper" ? "No slide changes the board: Dropper wins."
        : dropping ? "You are Dropper: put a tile into an empty cell." : mine ? "You are Slider: slide." : "The strategy thinks …";
    this.says.dataset.end = over ?? "";
  }

  trouble(error) {
    this.says.textContent = "";
    this.wrong.textContent = error.message;
    this.wrong.hidden = false;
  }
}
