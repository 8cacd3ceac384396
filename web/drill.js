// A drill: a formation that someone plays, with the exact value of every position and of every move.
import { ask } from "./backend.js";
import { judge } from "./judge.js";
import { write } from "./notation.js";
import { Dice, put } from "./rules.js";
import { parseWalledBoard, slideWalled } from "./walls.js";

/** How often a start is dealt anew that is lost from the outset, or the last one again. */
const DEALS = 100;

const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

/** A start by chance: walls where they may stand, then two tiles. One without any chance teaches nothing, nor does the last one
 * again: they are dealt anew. */
export async function deal({ id, shape }, last = null) {
  for (let i = 0; ; i += 1) {
    const { start, value } = await ask("line", { variant: id, seed: newSeed(), plies: 0 });
    const board = parseWalledBoard(start, shape);
    if ((value > 0 && board.cells.join() !== last?.cells.join()) || i === DEALS) return board;
  }
}

/** Whether there was no choice. */
export const isForced = ({ position }) => position.moves.length === 1;

/** The drill of a formation from a board. `position` is what is known of its board, null until it has come. */
export class Drill {
  constructor(variant, start) {
    Object.assign(this, { variant, start, board: start, position: null });
    /** Moves as `{ board, position, move, made, best, graded, right, text, slid, cell, tile }`. */
    this.plies = [];
    /** How many moves were taken back. */
    this.taken = 0;
    this.dice = new Dice(newSeed());
  }

  /** Learns the value of the board. */
  async look() {
    const { board, variant } = this;
    const position = await ask("position", { variant: variant.id, board: write(board) });
    if (board === this.board) this.position = position;
  }

  /** Makes a slide, and the tile that falls, by dice unless it is given; whether the slide is allowed. */
  slide(move, fallen = null) {
    const { board, position, variant } = this;
    const verdict = position && judge(move, position);
    if (!verdict?.made || this.end) return false;
    const slid = { ...slideWalled(board, move), before: board };
    const after = parseWalledBoard(verdict.made.afterstate, variant.shape);
    const won = verdict.made.wins_now;
    const { cell, tile } = won ? {} : fallen ?? this.dice.fall(after, variant);
    if (!won && (after.cells[cell] !== 0 || ![2, 4].includes(tile))) throw new Error(`no ${tile} can fall into cell ${cell}`);
    this.plies.push({ ...verdict, board, position, move, slid, cell, tile });
    this.board = won ? after : put(after, cell, Math.log2(tile));
    this.position = null;
    return true;
  }

  /** Goes back to the board before a move. */
  back(to) {
    this.taken += this.plies.length - to;
    ({ board: this.board, position: this.position } = this.plies[to]);
    this.plies.length = to;
  }

  /** How it ended: won, lost, or null while it goes on. */
  get end() {
    if (this.plies.at(-1)?.made.wins_now || this.position?.status === "won") return "won";
    return this.position?.moves.length === 0 ? "lost" : null;
  }

  /** What is known of the first board. */
  get first() {
    return this.plies[0]?.position ?? this.position;
  }

  /** The chance of success now. */
  get value() {
    return this.end ? Number(this.end === "won") : this.position?.value ?? null;
  }

  /** What the moves gave away: the sum of what each lost against the best at its time. Its mean over many drills is what playing
   * like this costs from the start; tiles that fall change nothing in it. */
  get given() {
    return this.plies.reduce((sum, { made }) => sum + made.loss, 0);
  }

  /** What the tiles brought: the rest of the way from the first chance to this one. */
  get luck() {
    return this.value === null ? null : this.value - this.first.value + this.given;
  }

  /** How many moves were right. */
  get right() {
    return this.plies.filter(({ right }) => right).length;
  }

  /** How many were the only ones that could be made. */
  get forced() {
    return this.plies.filter(isForced).length;
  }

  /** The worst moves as their places, the worst first. */
  worst(count) {
    const lost = (at) => this.plies[at].made.loss;
    return this.plies.map((_, at) => at).filter((at) => !this.plies[at].right).sort((a, b) => lost(b) - lost(a)).slice(0, count);
  }
}
