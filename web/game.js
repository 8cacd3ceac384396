// The game in hand: a line of play, the lines before it that undo brings back, and the dice.
import { Line } from "./line.js";
import { parseBoard, parseVariant } from "./notation.js";
import { readLine } from "./paste.js";
import { Dice, put } from "./rules.js";

/** Lines that undo brings back. */
const PAST = 100;
/** The largest exponent that editing sets. */
const LARGEST = 17;

const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

/** The line that begins with a board, as text. */
export function lineAt(id, board) {
  const variant = parseVariant(id);
  return new Line(variant, parseBoard(board, variant.shape));
}

export class Game {
  /** `onload` hears of every other line. */
  constructor(onload) {
    this.onload = onload;
    this.line = null;
    this.past = [];
    this.seed = newSeed();
  }

  load(line) {
    this.line = line;
    this.onload();
  }

  /** Another line, which undo takes back. */
  open(line) {
    if (this.line) this.past.push(this.line.copy());
    if (this.past.length > PAST) this.past.shift();
    this.load(line);
  }

  /** The line of a link; where it is a position of the game in hand, the game stays. */
  follow({ line, seed }) {
    if (seed !== null) this.seed = seed;
    const here = this.line && new Line(this.line.variant, this.line.board);
    if (here && line.length === 0 && here.pack() === line.pack()) this.load(this.line);
    else this.open(line);
  }

  /** A board or a game in a text; returns a note about it, if there is one. */
  paste(text) {
    const { line, note } = readLine(text, this.line?.variant);
    this.open(line);
    return note;
  }

  /** Another goal: the same game where the board has the same shape. */
  aim(id) {
    const variant = parseVariant(id);
    const { line } = this;
    const same = line.variant.name === variant.name;
    this.open(same ? Line.of(variant, line.start, line.plies(), line.at) : new Line(variant, new Dice(this.seed).deal(variant)));
  }

  /** A new game by dice. */
  begin() {
    this.seed = newSeed();
    this.restart(new Dice(this.seed).deal(this.line.variant));
  }

  restart(board = this.line.start) {
    this.open(new Line(this.line.variant, board));
  }

  edit(cell, e) {
    if (e >= 0 && e <= LARGEST) this.restart(put(this.line.board, cell, e));
  }

  /** A tile is carried to another cell, which gives its own, or off the board. */
  carry(from, to) {
    const { board } = this.line;
    const lifted = put(board, from, to === null ? 0 : board.cells[to]);
    this.restart(to === null ? lifted : put(lifted, to, board.cells[from]));
  }

  /** One move back or forth, or one place where tiles are placed by hand; before the start, the line before. */
  step(by, byPlace) {
    const { line } = this;
    if (by < 0 && line.at === 0) {
      if (this.past.length > 0) this.load(this.past.pop());
      return;
    }
    const to = byPlace ? line.at + by : by < 0 ? 2 * Math.ceil(line.at / 2) - 2 : 2 * Math.floor(line.at / 2) + 2;
    line.jump(Math.min(to, line.last));
  }

  get canUndo() {
    return this.line.at > 0 || this.past.length > 0;
  }
}
