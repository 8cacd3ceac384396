// A line of play: a start, slides and the tiles that fell, and where in it one looks. Places are counted
// from 0, slides and tiles each: even places are positions with the player to move, odd ones have a tile to
// come. A ply takes a byte or two and every sixteenth position is kept, so that a step costs the same in the
// first move and in the twenty thousandth.
import { write, writeMoves } from "./notation.js";
import { decode, encode, NARROW } from "./packed.js";
import { Dice, isWon, MOVES, put, slide } from "./rules.js";

/** Positions and dice are kept at every so many plies. */
const EVERY = 16;

export class Line {
  constructor(variant, start) {
    this.variant = variant;
    this.at = 0;
    /** Plies, of which the last may be waiting for its tile (`pending`). */
    this.length = 0;
    this.pending = false;
    // A ply: two bits for the slide, one for a 4, then the cell of the new tile.
    this.codes = new (start.cells.length > NARROW ? Uint16Array : Uint8Array)(64);
    this.kept = [{ board: start, score: 0 }];
  }

  /** A line from its moves; fails if one is not legal. */
  static of(variant, start, plies, at = null) {
    const line = new Line(variant, start);
    plies.forEach((ply, i) => line.extend(ply, i));
    if (at !== null && at >= 0 && at <= line.last) line.at = at;
    return line;
  }

  extend({ move, cell, tile }, i) {
    if (this.waits) throw new Error(`move ${i}: the tile after it is missing`);
    if (!this.slide(move)) throw new Error(`move ${i + 1}: ${move} is not possible there`);
    if (cell !== undefined && !this.drop(cell, tile)) throw new Error(`move ${i + 1}: no ${tile} can appear in cell ${cell}`);
  }

  /** The last place. */
  get last() {
    return 2 * this.length - (this.pending ? 1 : 0);
  }

  get start() {
    return this.kept[0].board;
  }

  /** The position here: `{ board, ply, state, score }`, and after a slide `move`, `merged`, `slid` and, once
   * it has fallen, the `cell` and `tile`. */
  get node() {
    if (this.seen?.at !== this.at) this.seen = { at: this.at, node: this.find(this.at) };
    return this.seen.node;
  }

  get board() {
    return this.node.board;
  }

  /** Whether the target is on the board. The game may go on. */
  get won() {
    return isWon(this.board, this.variant.target);
  }

  /** Whether a tile has to fall now. */
  get waits() {
    return this.at % 2 === 1;
  }

  find(at) {
    const ply = Math.ceil(at / 2);
    if (ply === 0) return { board: this.start, ply, state: true, score: 0 };
    const before = this.stateAt(ply - 1);
    const { move, cell, tile } = this.ply(ply - 1);
    const after = slidNode({ ...before, ply: ply - 1 }, move, slide(before.board, move));
    return at % 2 === 1 ? after : fallenNode(after, cell, tile);
  }

  /** The board and the score after a number of plies: those kept nearest before, played on. */
  stateAt(ply) {
    const block = Math.floor(ply / EVERY);
    const near = this.near?.ply <= ply && this.near.ply >= block * EVERY ? this.near : { ply: block * EVERY, ...this.kept[block] };
    let { board, score } = near;
    for (let i = near.ply; i < ply; i += 1) {
      const { move, cell, tile } = this.ply(i);
      const done = slide(board, move);
      score += done.score;
      board = put(done.board, cell, tile / 2);
    }
    this.near = { ply, board, score };
    return { board, score };
  }

  /** The ply after a number of plies: `{ move, cell, tile }`, without a tile where none has fallen. */
  ply(i) {
    const code = this.codes[i];
    const move = MOVES[code & 3];
    return this.pending && i === this.length - 1 ? { move } : { move, cell: code >> 3, tile: code & 4 ? 4 : 2 };
  }

  /** Plies with the tiles that fell. */
  plies(from = 0, to = this.length) {
    return Array.from({ length: to - from }, (_, i) => this.ply(from + i));
  }

  /** Drops everything after this place. */
  cut() {
    if (this.at === this.last) return;
    this.length = Math.ceil(this.at / 2);
    this.pending = this.at % 2 === 1;
    const states = Math.floor(this.at / 2);
    this.kept.length = Math.min(this.kept.length, Math.floor(states / EVERY) + 1);
    this.near = null;
    if (!this.dice) return;
    this.dice.kept.length = Math.min(this.dice.kept.length, Math.floor(states / EVERY) + 1);
    if (this.dice.rolled > states) this.dice.rolled = -1;
  }

  /** Slides, dropping what came after unless it is the same; false if it is not legal. */
  slide(move) {
    if (this.waits) return false;
    const { node } = this;
    const done = slide(node.board, move);
    if (!done) return false;
    if (node.ply === this.length || this.ply(node.ply).move !== move) {
      this.cut();
      if (this.length === this.codes.length) this.grow();
      this.codes[this.length] = MOVES.indexOf(move);
      this.length += 1;
      this.pending = true;
    }
    this.at += 1;
    this.seen = { at: this.at, node: slidNode(node, move, done) };
    return true;
  }

  grow() {
    const codes = new this.codes.constructor(2 * this.codes.length);
    codes.set(this.codes);
    this.codes = codes;
  }

  /** Lets a tile fall. */
  drop(cell, tile) {
    if (!this.waits || this.board.cells[cell] !== 0 || (tile !== 2 && tile !== 4)) return false;
    const { node, fallen } = this;
    if (fallen?.cell !== cell || fallen.tile !== tile) {
      this.cut();
      this.codes[node.ply - 1] = MOVES.indexOf(node.move) | (tile === 4 ? 4 : 0) | (cell << 3);
      this.pending = false;
    }
    const next = fallenNode(node, cell, tile);
    if (next.ply % EVERY === 0) this.kept[next.ply / EVERY] = { board: next.board, score: next.score };
    this.at += 1;
    this.seen = { at: this.at, node: next };
    return true;
  }

  /** The tile that fell here before a step back, if any. */
  get fallen() {
    const { cell, tile } = this.waits ? this.ply(this.node.ply - 1) : {};
    return cell === undefined ? null : { cell, tile };
  }

  /** The tile that seeded dice let fall here: in a line that they dealt, the same as in the program's game. In others
   * each ply has dice of its own, so that no one waits while those of thousands of plies are thrown. */
  fall(seed) {
    if (this.dice?.seed !== String(seed)) this.roll(String(seed));
    const { dice } = this;
    if (!dice.dealt) return new Dice(seed, this.node.ply).fall(this.board, this.variant);
    const wanted = this.node.ply - 1;
    if (dice.rolled > wanted || dice.rolled < 0) {
      const block = Math.min(Math.floor(wanted / EVERY), dice.kept.length - 1);
      dice.source.state = dice.kept[block];
      dice.rolled = block * EVERY;
    }
    while (dice.rolled < wanted) this.throwDice(slide(this.stateAt(dice.rolled).board, this.ply(dice.rolled).move).board);
    return this.throwDice(this.board);
  }

  roll(seed) {
    const source = new Dice(seed);
    const dealt = write(source.deal(this.variant)) === write(this.start);
    this.dice = { seed, dealt, source, rolled: 0, kept: [source.state] };
  }

  throwDice(board) {
    const { dice } = this;
    const fallen = dice.source.fall(board, this.variant);
    dice.rolled += 1;
    if (dice.rolled % EVERY === 0) dice.kept[dice.rolled / EVERY] = dice.source.state;
    return fallen;
  }

  jump(at) {
    this.at = Math.min(Math.max(at, 0), this.last);
  }

  /** The place where the player has to make a move after a number of plies, or -1. */
  stateOf(ply) {
    return ply >= 0 && 2 * ply <= this.last ? 2 * ply : -1;
  }

  /** How many plies another line begins with too. */
  shared(other) {
    if (other.variant.id !== this.variant.id || (other.start !== this.start && write(other.start) !== write(this.start))) return 0;
    const whole = (line) => Math.floor(line.last / 2);
    const most = Math.min(whole(this), whole(other));
    let same = 0;
    while (same < most && this.codes[same] === other.codes[same]) same += 1;
    return same;
  }

  /** The line as it is now, for later. */
  copy() {
    const line = new Line(this.variant, this.start);
    Object.assign(line, { at: this.at, length: this.length, pending: this.pending, codes: this.codes.slice(), kept: [...this.kept] });
    return line;
  }

  /** Moves as an address has them. */
  get text() {
    return writeMoves(this.plies());
  }

  /** The line as short text: about 1.4 characters a ply. */
  pack() {
    const { variant, start, at, pending, length } = this;
    return encode({ variant, start, at, pending, codes: this.codes.subarray(0, length) });
  }

  /** A line that was packed. */
  static unpack(text) {
    const { variant, start, at, pending, codes } = decode(text);
    const line = new Line(variant, start);
    codes.forEach((code, i) => {
      const tile = pending && i === codes.length - 1 ? {} : { cell: code >> 3, tile: code & 4 ? 4 : 2 };
      line.extend({ move: MOVES[code & 3], ...tile }, i);
    });
    line.jump(at);
    return line;
  }
}

/** The node after a slide. */
function slidNode({ board, ply, score }, move, done) {
  return { board: done.board, ply: ply + 1, state: false, move, merged: done.merged, slid: { before: board, paths: done.paths }, score: score + done.score };
}

/** The node after its tile fell. */
const fallenNode = (after, cell, tile) => ({ ...after, board: put(after.board, cell, tile / 2), state: true, cell, tile });
