// Reviews a line in chunks, so that progress is seen and it can be stopped at any time.
import { send } from "./backend.js";
import { keep, kept } from "./kept.js";
import { write } from "./notation.js";
import { grade } from "./numbers.js";
import { ready, solved } from "./ready.js";
import { Verdicts } from "./verdicts.js";

/** Moves in a chunk: few where each is searched, and more when that goes fast. */
const SEARCHED = { first: 20, most: 400 };
const SOLVED = { first: 2000, most: 2000 };
/** A chunk shall take about this long, in milliseconds. */
const WANTED = 1000;
/** A review is kept from this number of moves on, and every so many milliseconds while it runs. */
const WORTH = 60;
const SAVED = 5000;
/** How long a server that has too much to do is left alone, in milliseconds. */
const REST = 500;

export class Reviewer {
  /** `onchange` is called when there is more to show, `ontrouble` with what went wrong. */
  constructor({ onchange, ontrouble }) {
    this.onchange = onchange;
    this.ontrouble = ontrouble;
    this.verdicts = new Verdicts();
    this.run = null;
    /** The review of the last visit. */
    this.past = kept("review");
  }

  /** The line that is to be reviewed, whenever it has changed. */
  show(line) {
    this.line = line;
    this.verdicts.adopt(line);
    if (this.run && this.run.game !== gameOf(line)) this.stop();
    if (this.past && line.length > 0) this.recall();
  }

  /** Takes back what was kept, if it is about this game. */
  async recall() {
    const { past } = this;
    this.past = null;
    const dump = await past;
    if (!dump || this.verdicts.count > 0) return;
    this.verdicts.restore(dump, this.line);
    if (this.verdicts.count > 0) this.onchange();
  }

  save() {
    this.saved = performance.now();
    if (this.verdicts.count >= WORTH) keep("review", this.verdicts.dump());
  }

  /** Whole moves of the line. */
  get total() {
    return Math.floor((this.line?.last ?? 0) / 2);
  }

  get running() {
    return this.run !== null;
  }

  get done() {
    return this.verdicts.count >= this.total;
  }

  /** Moves a second, and seconds left; null until that can be told. */
  get pace() {
    if (!this.run || this.run.moves === 0) return null;
    const rate = (1000 * this.run.moves) / (performance.now() - this.run.began);
    return { rate, left: (this.total - this.verdicts.count) / rate };
  }

  stop() {
    this.run?.ending.abort();
    this.run = null;
    this.save();
    this.onchange();
  }

  async start() {
    if (this.running || this.done) return;
    const run = (this.run = { game: gameOf(this.line), began: performance.now(), moves: 0, ending: new AbortController() });
    const mine = () => run === this.run;
    this.onchange();
    try {
      const { id, shape } = this.line.variant;
      const exact = shape.rows * shape.cols <= 12 && await ready(id).then(() => solved(id));
      const { first, most } = exact ? SOLVED : SEARCHED;
      let size = first;
      while (mine() && !this.done) {
        const began = performance.now();
        const taken = await this.chunk(size, mine).catch((error) => tooMuch(error, size));
        if (!mine()) return;
        if (taken === null) await new Promise((resolve) => { setTimeout(resolve, REST); });
        run.moves += taken ?? 0;
        const took = performance.now() - began;
        size = taken === null ? Math.ceil(size / 4) : Math.round(Math.min(Math.max(size * Math.min(WANTED / took, 2), 5), most));
        if (performance.now() - (this.saved ?? 0) > SAVED) this.save();
        this.onchange();
      }
    } catch (error) {
      if (mine()) this.ontrouble(error);
    } finally {
      if (mine()) this.stop();
    }
  }

  /** Asks about the next moves; how many there were. What the line has lost meanwhile is not kept. */
  async chunk(size, mine) {
    const { line, verdicts } = this;
    const from = verdicts.count;
    const asked = line.copy();
    const to = Math.min(from + size, this.total);
    const question = { variant: line.variant.id, start: write(asked.stateAt(from).board), moves: asked.plies(from, to) };
    const answer = await send("verdicts", question, { signal: this.run.ending.signal });
    if (!mine() || this.verdicts.count !== from || this.line.shared(asked) < to) return 0;
    verdicts.add(asked, answer, (move) => grade(move, move.before?.value, answer.objective)?.name);
    return to - from;
  }
}

/** What stays the same as long as it is the same game. */
const gameOf = (line) => `${line.variant.id} ${write(line.start)}`;

/** A server that could not do so many moves in time gets fewer: null. Anything else is an error. */
function tooMuch(error, size) {
  if (error.status === 429 && size > 1) return null;
  throw error;
}
