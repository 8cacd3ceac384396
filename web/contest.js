// A contest of Slider and Dropper: its rules and the line played so far, without anything to be seen.
import { empty, exponent, parseShape } from "./notation.js";
import { choices, play } from "./opponent.js";
import { isWon, legal, slide } from "./rules.js";

export const LETTERS = { L: "left", R: "right", U: "up", D: "down" };

export class Contest {
  constructor({ shape, to, drops }) {
    this.shape = parseShape(shape);
    this.target = exponent(to);
    this.tiles = drops.split(",").map(Number);
    /** The plies, and the board before each of them; one more board at the end. */
    this.plies = [];
    this.boards = [empty(this.shape)];
    this.at = 0;
  }

  get board() {
    return this.boards[this.at];
  }

  /** Who plays at a place: Dropper begins. */
  static turnAt(at) {
    return at % 2 === 0 ? "dropper" : "slider";
  }

  get turn() {
    return Contest.turnAt(this.at);
  }

  /** The winner, if it is over. */
  get winner() {
    if (isWon(this.board, this.target)) return "slider";
    return this.turn === "slider" && legal(this.board).length === 0 ? "dropper" : null;
  }

  /** Whether a ply is possible. */
  can(ply) {
    return this.winner === null && choices(this.board, this.turn, this.tiles)
      .some((one) => one.move === ply.move && one.cell === ply.cell && one.tile === ply.tile);
  }

  /** Plays a ply; what was played from here before is given up, unless it was the same. */
  add(ply) {
    const { plies, at } = this;
    const same = plies[at] && plies[at].move === ply.move && plies[at].cell === ply.cell && plies[at].tile === ply.tile;
    if (!same) {
      plies.length = at;
      this.boards.length = at + 1;
      plies.push(ply);
      this.boards.push(play(this.board, ply));
    }
    this.at += 1;
  }

  /** How the last ply is to be seen. */
  get seen() {
    const ply = this.plies[this.at - 1];
    if (!ply) return {};
    if (ply.cell !== undefined) return { fresh: ply.cell };
    const before = this.boards[this.at - 1];
    const { merged, paths } = slide(before, ply.move);
    return { merged, slid: { before, paths } };
  }

  /** The line as the address has it: `4.2` is a 2 into cell 4, `L` a slide to the left. */
  get text() {
    return this.plies.map(({ move, cell, tile }) => (move ? move[0].toUpperCase() : `${cell}.${tile}`)).join("");
  }

  /** Plays a line that was read; says which ply is not possible. */
  follow(text) {
    if (!/^(?:\d{1,3}\.\d{1,2}|[LRUD])*$/.test(text)) throw new Error("its moves cannot be read");
    for (const [found, cell, tile] of text.matchAll(/(\d+)\.(\d+)|[LRUD]/g)) {
      const ply = cell === undefined ? { move: LETTERS[found] } : { cell: Number(cell), tile: Number(tile) };
      if (!this.can(ply)) throw new Error(`its move ${this.at + 1}, ${found}, is not possible`);
      this.add(ply);
    }
  }
}
