// The formations that a position fits: its largest tiles taken for walls, and the exact chance of every move then.
import { addressOf } from "./address.js";
import { title as titleOf } from "./drillchooser.js";
import { make, speak } from "./element.js";
import { ARROWS, mark, remarkOf } from "./moves.js";
import { tile } from "./notation.js";
import { valueText } from "./numbers.js";
import { MOVES } from "./rules.js";
import { parseWalled } from "./walls.js";

/** Blocks about formations; `onwalls(board, cells)` marks cells of the board that was asked about, or none. */
export class Formations {
  constructor(onwalls) {
    this.onwalls = onwalls;
    /** The game whose walls stay marked: it often goes on for many moves. */
    this.pinned = null;
  }

  /** The blocks of a position, none where it fits no formation. */
  of({ formations = [], moves }, board) {
    this.board = board;
    this.formations = formations;
    this.rest();
    const possible = moves.map(({ move }) => move);
    this.buttons = formations.map((one) => make("button", { type: "button", text: "Mark walls", title: "Outline the large tiles on the board", onclick: () => this.pin(one) }));
    this.press();
    return formations.map((one, i) => this.block(one, `formation-${i}`, possible, this.buttons[i]));
  }

  block(formation, id, possible, button) {
    const { formation: name, to, meaning, source } = formation;
    // A finger hovers over nothing: it has the button.
    const hover = (event, what) => event.pointerType === "mouse" && what();
    return make("section", {
      class: "formation", "aria-labelledby": id,
      onpointerenter: (event) => hover(event, () => this.show(formation)), onpointerleave: (event) => hover(event, () => this.rest()),
    }, make("div", { class: "row-of apart" }, make("h3", { id, text: `Formation ${name ? `${name} ` : ""}to ${to}` }),
      make("div", { class: "row-of buttons" }, button, drill(formation))),
    make("p", { class: "note" }, make("strong", { class: "exact", text: `Exact: ${source === "table" ? "from a table" : "solved on the spot"}.` }),
      ` ${meaning[0].toUpperCase()}${meaning.slice(1)}.`),
    table(formation, id, possible));
  }

  /** Keeps the walls of a formation marked, or no longer. */
  pin(formation) {
    const off = this.pinned === formation.variant;
    this.pinned = off ? null : formation.variant;
    this.press();
    this.rest();
    speak(off ? "Walls are not marked" : `Walls: ${walls(this.board, formation.walls).map((cell) => tile(this.board.cells[cell])).join(", ")}`);
  }

  press() {
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(this.formations[i].variant === this.pinned)));
  }

  show(formation) {
    this.onwalls(this.board, walls(this.board, formation.walls));
  }

  /** What is marked while nothing is pointed at. */
  rest() {
    const kept = this.formations.find(({ variant }) => variant === this.pinned);
    if (kept) this.show(kept);
    else this.onwalls(this.board, []);
  }
}

/** A link to play a formation out from its position. */
function drill({ variant, board }) {
  const { id } = parseWalled(variant);
  return make("a", { class: "button", href: addressOf("practise", { game: id, board }), "aria-label": `Practise ${titleOf(id)}`, title: "Play on from here, with a verdict on every slide", text: "Practise" });
}

/** The cells of the largest tiles, the largest first. */
function walls({ cells }, count) {
  return cells.map((_, cell) => cell).sort((a, b) => cells[b] - cells[a]).slice(0, count);
}

/** The moves, best first, then those that the formation or the board does not have. */
function table(formation, id, possible) {
  const known = formation.moves.map(({ move }) => move);
  const rest = MOVES.filter((move) => !known.includes(move)).sort((a, b) => possible.includes(b) - possible.includes(a));
  const head = (text) => make("th", { scope: "col", text });
  // An entry says a chance of success, whatever the game is played for.
  const game = { ...formation, objective: "win", unit: "probability" };
  return make("table", { "aria-labelledby": id }, make("thead", {}, make("tr", {}, head("Move"), head("Chance"))),
    make("tbody", {}, formation.moves.map((move) => row(move, game)),
      rest.map((name) => make("tr", { class: "closed", "data-move": name }, title(name),
        make("td", { text: possible.includes(name) ? "not allowed" : "not possible" })))));
}

function row(move, game) {
  const { graded, loss } = remarkOf(move, game);
  const sure = mark(move.category);
  const said = graded ? [make("span", { text: graded.sign, "aria-hidden": true }), ` ${graded.word}`] : ["not known"];
  return make("tr", { "data-move": move.move, "data-grade": graded?.name ?? "unknown" }, title(move.move),
    // One cell for both: on a phone many nines leave no room for a column beside them.
    make("td", {}, make("span", { class: "value", text: valueText(move, game.objective, game.unit), title: move.value ?? "" }), " ",
      make("span", { class: "remark" }, said, loss ? ` ${loss}` : null, sure ? " " : null, sure)));
}

const title = (name) => make("th", { scope: "row" }, make("span", { class: "arrow", text: ARROWS[name], "aria-hidden": true }), ` ${name}`);
