// Practise: a formation to play out. Every slide gets a verdict with the exact chances of all moves.
import { addressOf, keepSoon, Link } from "./address.js";
import { deal, Drill } from "./drill.js";
import { DrillBoard } from "./drillboard.js";
import { DrillChooser } from "./drillchooser.js";
import { DrillPanel } from "./drillpanel.js";
import { make } from "./element.js";
import { sentence } from "./judge.js";
import { gameKeys } from "./keys.js";
import { parseMoves, write, writeMoves } from "./notation.js";
import { forget, progressText, ready } from "./ready.js";
import { parseWalled, parseWalledBoard } from "./walls.js";

/** What takes no longer than this needs no word, in milliseconds. */
const PATIENCE = 400;
const ABOUT = [
  "Walls slide like tiles and never merge. A slide that takes them out of the formation is not allowed.",
  "A start comes by chance. After each slide you see how good it was, and the exact chances of all moves.",
  "Analyse has a button for positions of your own games that fit a formation.",
];

/** The area in an element. */
export function mount(root) {
  return new Drills(root);
}

class Drills {
  constructor(root) {
    this.turn = 0;
    this.drill = null;
    const [onagain, ondeal] = [() => this.again(), () => this.open(this.drill.variant)];
    const [move, undo] = [(name) => this.move(name), () => this.back(this.drill.plies.length - 1)];
    this.chooser = new DrillChooser((id) => this.open(parseWalled(id)));
    this.board = new DrillBoard({ onmove: move, onundo: undo, onagain, ondeal });
    this.panel = new DrillPanel({ onretry: (at) => this.back(at), onagain, ondeal });
    this.build(root);
    gameKeys({ active: () => this.active && this.drill !== null, move, undo });
  }

  build(root) {
    this.wrong = make("div", { class: "drill-wrong", role: "alert" });
    this.progress = make("progress", { max: 1, "aria-label": "Progress" });
    this.pace = make("p", { role: "status" });
    this.busy = make("section", { class: "panel", "aria-label": "Solving", hidden: true }, this.pace, this.progress);
    this.about = make("ul", { class: "plain note" }, ABOUT.map((text) => make("li", { text })));
    this.bench = make("div", { class: "bench", hidden: true },
      make("div", { class: "left" }, this.board.element, make("p", { class: "note tools", text: "Arrow keys, WASD, swipes or the buttons slide. U takes a move back." })),
      this.panel.element);
    root.append(make("header", { class: "intro" }, make("h1", { text: "Practise a formation" }),
      make("p", { text: "Large tiles are walls, and a smaller tile is to be made beside them. Every slide is compared with the best one, by exact chances." })),
    this.chooser.element, this.wrong, this.busy, this.about, this.bench);
  }

  show(asked, changed) {
    this.active = true;
    if (changed) this.chooser.load().catch((error) => this.trouble(error.message));
    if (this.drill && (asked.size === 0 || location.hash === this.address)) return this.keep();
    const link = new Link(asked, ["game", "board", "moves"]);
    const variant = link.read("game", null, parseWalled);
    const board = variant && link.read("board", null, (text) => parseWalledBoard(text, variant.shape));
    const moves = link.read("moves", [], parseMoves);
    if (!link.complaint && variant) return this.open(variant, board, moves);
    this.close();
    if (link.complaint) this.trouble(link.complaint);
  }

  hide() {
    this.active = false;
  }

  /** No drill is shown. */
  close() {
    this.turn += 1;
    this.drill = null;
    this.bench.hidden = this.busy.hidden = true;
    this.about.hidden = false;
    this.wrong.replaceChildren();
  }

  /** Opens a formation, by chance where no board is given, and plays moves of a link. */
  async open(variant, board = null, moves = []) {
    this.close();
    const mine = this.turn;
    this.chooser.set(variant.id);
    const patience = setTimeout(() => mine === this.turn && this.wait(variant.id, null), PATIENCE);
    try {
      await ready(variant.id, (pace) => mine === this.turn && this.wait(variant.id, pace));
      const drill = new Drill(variant, board ?? await deal(variant));
      await drill.look();
      if (drill.position.value === null) throw new Error("no game of this formation comes to this board");
      for (const [i, { move, cell, tile }] of moves.entries()) {
        if (!drill.slide(move, cell === undefined ? null : { cell, tile })) throw new Error(`move ${i + 1} of the link, ${move}, is not allowed`);
        if (!drill.end) await drill.look();
      }
      if (mine === this.turn) this.begin(drill);
    } catch (error) {
      if (mine === this.turn) this.failed(error, variant);
    } finally {
      clearTimeout(patience);
    }
  }

  /** Shows how far the solution of a formation is. */
  wait(id, pace) {
    this.busy.hidden = false;
    this.pace.textContent = progressText(id, pace);
    if (pace?.total) this.progress.value = Math.min(pace.done / pace.total, 1);
    else this.progress.removeAttribute("value");
  }

  /** There is no answer: what is wrong, and what can be done. */
  failed(error, { id, name, target }) {
    this.busy.hidden = true;
    forget(id);
    const formation = /-formation-(\w+)/.exec(id)?.[1];
    const hint = error.status === 404 && formation && ["Choose another formation above, or solve this one, which may take long: ",
      make("code", { text: `tilebase solve ${name} --formation ${formation} --to ${2 ** target} --out tables/${formation}-${2 ** target}` }), ", then ",
      make("code", { text: "tilebase serve --tables tables" }), "."];
    this.trouble(error.message, hint);
  }

  trouble(text, hint = null) {
    const says = sentence(text);
    this.wrong.replaceChildren(make("p", { class: "trouble", text: says.endsWith(".") ? says : `${says}.` }), hint ? make("p", { class: "note" }, hint) : "");
  }

  begin(drill) {
    this.busy.hidden = this.about.hidden = true;
    this.bench.hidden = false;
    this.drill = drill;
    this.board.begin(drill);
    this.render();
  }

  /** The same start once more. */
  again() {
    const { variant, start, first } = this.drill;
    this.begin(Object.assign(new Drill(variant, start), { position: first }));
  }

  async move(move) {
    const { drill } = this;
    if (!drill || drill.end || !drill.position) return;
    if (!drill.slide(move)) return this.board.refuse(move, drill);
    this.render();
    try {
      if (!drill.end) await drill.look();
    } catch (error) {
      this.trouble(error.message);
    }
    if (drill !== this.drill) return;
    this.render();
    if (drill.end) this.panel.again.focus({ preventScroll: true });
  }

  /** Back to the board before a move. */
  back(to) {
    if (to < 0) return;
    this.drill.back(to);
    this.render();
    this.board.say(`Back to move ${to + 1}.`);
  }

  render() {
    this.board.show(this.drill);
    this.panel.show(this.drill);
    this.keep();
  }

  /** Says in the address what is shown. */
  keep() {
    const { variant, start, plies } = this.drill;
    const values = { game: variant.id, board: write(start), moves: writeMoves(plies) };
    this.address = addressOf("practise", values);
    keepSoon("practise", values);
  }
}
