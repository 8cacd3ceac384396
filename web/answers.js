// Answers about positions, each asked for once.
import { ask, onloading } from "./backend.js";
import { write } from "./notation.js";
import { ready, solved } from "./ready.js";
import { searchedSpawns } from "./spawns.js";

/** Answers that are kept. */
const MOST = 2000;

export class Answers {
  constructor() {
    this.known = new Map();
    /** How far a game that is being solved is. */
    this.pace = null;
    /** Called when there are better answers to the same questions. */
    this.onbetter = () => {};
    onloading(({ full, done, failed }) => {
      if (!full || !done || failed) return;
      this.forget();
      this.onbetter();
    });
  }

  /** A position with its moves. */
  position(variant, board) {
    return this.once(`position ${variant.id} ${write(board)}`, () => this.ask("position", { variant: variant.id, board: write(board), search: true }));
  }

  /** What can spawn after a slide: from a table, or by searches. */
  spawns(variant, board) {
    return this.once(`spawns ${variant.id} ${write(board)}`, async () => {
      if (!await this.isSolved(variant)) return { outcomes: await searchedSpawns(board, variant), objective: null, exact: false };
      const { outcomes } = await this.ask("spawns", { variant: variant.id, afterstate: write(board) });
      return { outcomes, objective: variant.objective, exact: true };
    });
  }

  isSolved(variant) {
    return large(variant) ? Promise.resolve(false) : solved(variant.id);
  }

  /** An answer about a game, once it is ready. */
  async ask(path, query) {
    this.pace = null;
    await ready(query.variant, (pace) => { this.pace = pace; });
    return ask(path, query);
  }

  /** Forgets all answers: more is known now. */
  forget() {
    this.known.clear();
  }

  once(key, question) {
    if (!this.known.has(key)) {
      if (this.known.size >= MOST) this.known.delete(this.known.keys().next().value);
      const answer = question();
      this.known.set(key, answer);
      answer.catch(() => this.known.delete(key));
    }
    return this.known.get(key);
  }
}

/** Whether a game is too large to be solved, as 4x4 is. */
export const large = ({ shape }) => shape.rows * shape.cols > 12;
