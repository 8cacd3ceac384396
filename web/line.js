// A line of play: a start, slides and the tiles that fell, and where in it one looks. Its nodes
// are positions with the player to move and, between them, positions with a tile to spawn.
import { isWon, put, slide, Dice } from "./rules.js";
import { writeMoves } from "./notation.js";

export class Line {
  constructor(variant, start) {
    this.variant = variant;
    this.nodes = [{ board: start, ply: 0, state: true, score: 0 }];
    this.at = 0;
  }

  /** A line from its moves; fails if one is not legal. */
  static of(variant, start, plies, at) {
    const line = new Line(variant, start);
    plies.forEach((ply, i) => {
      if (!line.slide(ply.move)) throw new Error(`move ${i + 1} of the address, ${ply.move}, is not legal there`);
      if (ply.cell !== undefined && !line.drop(ply.cell, ply.tile)) throw new Error(`move ${i + 1} of the address has no such tile`);
    });
    if (at !== null && at >= 0 && at < line.nodes.length) line.at = at;
    return line;
  }

  get node() {
    return this.nodes[this.at];
  }

  get board() {
    return this.node.board;
  }

  get start() {
    return this.nodes[0].board;
  }

  get won() {
    return isWon(this.board, this.variant.target);
  }

  /** Whether a tile has to fall now. */
  get waits() {
    return !this.node.state && !this.won;
  }

  /** Slides, dropping what came after unless it is the same; false if it is not legal. */
  slide(move) {
    if (!this.node.state || this.won) return false;
    const done = slide(this.board, move);
    if (!done) return false;
    if (this.nodes[this.at + 1]?.move !== move) {
      this.nodes.length = this.at + 1;
      const { ply, score } = this.node;
      const slid = { before: this.board, paths: done.paths };
      this.nodes.push({ board: done.board, ply: ply + 1, state: false, move, merged: done.merged, slid, score: score + done.score });
    }
    this.at += 1;
    return true;
  }

  /** Lets a tile fall. */
  drop(cell, tile) {
    if (!this.waits || this.board.cells[cell] !== 0 || (tile !== 2 && tile !== 4)) return false;
    const next = this.nodes[this.at + 1];
    if (next?.cell !== cell || next.tile !== tile) {
      this.nodes.length = this.at + 1;
      const { ply, score, move, merged, slid } = this.node;
      this.nodes.push({ board: put(this.board, cell, Math.log2(tile)), ply, state: true, move, cell, tile, merged, slid, score });
    }
    this.at += 1;
    return true;
  }

  /** The tile that seeded dice let fall here, as in a game of the program that began by them. */
  fall(seed) {
    const dice = new Dice(seed);
    dice.deal(this.variant);
    for (const node of this.nodes.slice(0, this.at)) if (!node.state) dice.fall(node.board, this.variant);
    return dice.fall(this.board, this.variant);
  }

  /** Moves with the tiles that fell, as far as they go. */
  plies(upTo = this.nodes.length - 1) {
    const plies = [];
    for (const node of this.nodes.slice(1, upTo + 1)) {
      if (node.state) Object.assign(plies.at(-1), { cell: node.cell, tile: node.tile });
      else plies.push({ move: node.move });
    }
    return plies;
  }

  get text() {
    return writeMoves(this.plies());
  }

  /** The node where the player has to make a move. */
  stateOf(ply) {
    return this.nodes.findIndex((node) => node.ply === ply && node.state);
  }
}
