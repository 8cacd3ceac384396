// Practise: a formation to play out. Every slide gets a verdict with the exact chances of all moves.
import { addressOf, keepSoon, Link } from "./address.js";
import { deal, Drill } from "./drill.js";
import { DrillBoard } from "./drillboard.js";
import { DrillChooser } from "./drillchooser.js";
import { DrillNotice } from "./drillnotice.js";
import { DrillPanel } from "./drillpanel.js";
import { make } from "./element.js";
import { gameKeys } from "./keys.js";
import { parseMoves, write, writeMoves } from "./notation.js";
import { forget, ready, solve } from "./ready.js";
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
    this.notice = new DrillNotice();
    this.build(root);
    gameKeys({ active: () => this.active && this.drill !== null, move, undo });
  }

  build(root) {
    this.about = make("ul", { class: "plain note" }, ABOUT.map((text) => make("li", { text })));
    this.bench = make("div", { class: "bench", hidden: true },
      make("div", { class: "left" }, this.board.element, make("p", { class: "note tools", text: "Arrow keys, WASD, swipes or the buttons slide. U takes a move back." })),
      this.panel.element);
    root.append(make("header", { class: "intro" }, make("h1", { text: "Practise a formation" }),
      make("p", { text: "Large tiles are walls, and a smaller tile is to be made beside them. Every slide is compared with the best one, by exact chances." })),
    this.chooser.element, ...this.notice.elements, this.about, this.bench);
  }

  show(asked, changed) {
    this.active = true;
    if (changed) this.chooser.load().catch((error) => this.notice.trouble(error.message));
    if (this.drill && (asked.toString() === "" || location.hash === this.address)) return this.keep();
    const link = new Link(asked, ["game", "board", "moves"]);
    const variant = link.read("game", null, parseWalled);
    const board = variant && link.read("board", null, (text) => parseWalledBoard(text, variant.shape));
    const moves = link.read("moves", [], parseMoves);
    if (!link.complaint && variant) return this.open(variant, board, moves);
    this.close();
    if (link.complaint) this.notice.trouble(link.complaint);
  }

  hide() {
    this.active = false;
  }

  /** No drill is shown. */
  close() {
    this.turn += 1;
    this.drill = null;
    this.bench.hidden = true;
    this.about.hidden = false;
    this.notice.clear();
  }

  /** Opens a formation, by chance where no board is given, and plays moves of a link. */
  async open(variant, board = null, moves = []) {
    const last = this.drill?.start;
    this.close();
    const mine = this.turn;
    this.chooser.set(variant.id);
    const patience = setTimeout(() => mine === this.turn && this.notice.wait(variant.id), PATIENCE);
    try {
      await ready(variant.id, (pace) => mine === this.turn && this.notice.wait(variant.id, pace));
      const drill = new Drill(variant, board ?? await deal(variant, last));
      await drill.look();
      if (drill.position.value === null) throw new Error("no game of this formation comes to this board");
      for (const [i, { move, cell, tile }] of moves.entries()) {
        if (!drill.slide(move, cell === undefined ? null : { cell, tile })) throw new Error(`move ${i + 1} of the link, ${move}, is not allowed`);
        if (!drill.end) await drill.look();
      }
      if (mine === this.turn) this.begin(drill);
    } catch (error) {
      if (mine === this.turn) this.failed(error, variant, () => this.solve(variant, board, moves));
    } finally {
      clearTimeout(patience);
    }
  }

  /** Solves a formation that has no table, and opens it. */
  async solve(variant, board, moves) {
    this.close();
    const mine = this.turn;
    this.notice.wait(variant.id);
    try {
      await solve(variant.id, {
        onjob: (job) => mine === this.turn && this.notice.offerCancel(job),
        onpace: (pace) => mine === this.turn && this.notice.wait(variant.id, pace),
      });
      if (mine === this.turn) await this.open(variant, board, moves);
    } catch (error) {
      if (mine === this.turn) this.failed(error, variant);
    }
  }

  failed(error, variant, onsolve = null) {
    this.close();
    forget(variant.id);
    this.notice.failed(error, variant, onsolve);
  }

  begin(drill) {
    this.notice.clear();
    this.about.hidden = true;
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
      this.notice.trouble(error.message);
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
