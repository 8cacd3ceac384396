// The verdicts on the moves of a line, as a review brings them: a few bytes a move, so that long games stay light.
import { MOVES } from "./rules.js";

/** Grades from the best, as they are counted and compared. */
export const GRADES = ["best", "about_equal", "slight", "inaccuracy", "mistake", "blunder"];
const MISTAKE = GRADES.indexOf("mistake");
const INACCURACY = GRADES.indexOf("inaccuracy");
const UNKNOWN = 255;
/** What is kept of each move. */
const FIELDS = ["grades", "best", "losses", "shares", "values"];

export class Verdicts {
  constructor() {
    this.forget();
  }

  forget() {
    this.line = null;
    this.count = 0;
    this.chunks = [];
    this.room = 0;
    this.chances = new Map();
    this.answer = null;
    this.grow(256);
  }

  /** Keeps what holds for a line too: the chunks of moves that it begins with. */
  adopt(line) {
    if (!this.line) return;
    const same = line.shared(this.line);
    if (same >= this.count) return;
    while (this.chunks.length > 0 && this.chunks.at(-1).to > same) this.chunks.pop();
    this.count = this.chunks.at(-1)?.to ?? 0;
    if (this.count === 0) return this.forget();
    for (const all of [this.values, ...this.chances.values()]) all.fill(NaN, this.count + 1);
  }

  /** Room for all moves of a line, so that it can be drawn before all are known. */
  reserve(moves) {
    while (moves + 1 > this.room) this.grow(2 * this.room);
  }

  grow(room) {
    const wider = (old, Kind, fill) => {
      const array = new Kind(room).fill(fill);
      if (old) array.set(old.subarray(0, this.room));
      return array;
    };
    this.grades = wider(this.grades, Uint8Array, UNKNOWN);
    this.best = wider(this.best, Uint8Array, UNKNOWN);
    this.losses = wider(this.losses, Float64Array, NaN);
    this.shares = wider(this.shares, Float32Array, NaN);
    this.values = wider(this.values, Float64Array, NaN);
    for (const [tile, old] of this.chances) this.chances.set(tile, wider(old, Float32Array, NaN));
    this.room = room;
  }

  /** Takes the answer about some moves of a line, from the one after the last. `gradeOf` names the grade of a move. */
  add(line, answer, gradeOf) {
    const from = this.count;
    const to = from + answer.moves.length;
    this.reserve(to);
    const unit = answer.unit === undefined ? null : answer.unit;
    answer.moves.forEach((move, i) => {
      const ply = from + i;
      const grade = GRADES.indexOf(gradeOf(move));
      this.grades[ply] = grade < 0 ? UNKNOWN : grade;
      this.best[ply] = MOVES.indexOf(move.best);
      this.losses[ply] = move.loss ?? NaN;
      this.shares[ply] = unit === "probability" ? move.loss : (move.loss ?? NaN) / Math.max(Math.abs(move.before.value ?? 0), 1e-9);
      this.put(ply, move.before, move.outlook_before?.chances);
    });
    this.put(to, answer, answer.chances);
    this.chunks.push({ to, moves: answer.moves.length, accuracy: answer.accuracy ?? null });
    this.count = to;
    this.line = line.copy();
    this.answer = { unit, objective: answer.objective, exact: answer.moves.every(({ source }) => source !== "estimate") && (this.answer?.exact ?? true) };
  }

  put(ply, { value, category }, chances) {
    this.values[ply] = value ?? { won: 1, sure_win: 1, lost: 0, sure_loss: 0 }[category] ?? NaN;
    const known = Object.entries(chances ?? {}).map(([tile, p]) => [Number(tile), p]);
    for (const [tile, p] of known) {
      if (!this.chances.has(tile)) this.chances.set(tile, new Float32Array(this.room).fill(NaN));
      this.chances.get(tile)[ply] = p;
    }
    // Tiles below the next one have been made.
    const next = Math.min(...known.map(([tile]) => tile));
    for (const [tile, all] of this.chances) if (known.length > 0 && tile < next) all[ply] = 1;
  }

  /** Everything, to be kept; and taken back if it is about the beginning of a line. */
  dump() {
    const { line, count, chunks, answer } = this;
    const cut = (array) => array.slice(0, count + 1);
    return {
      line: { variant: { id: line.variant.id }, start: line.start, last: 2 * count, codes: line.codes.slice(0, count) }, count, chunks: [...chunks], answer,
      arrays: FIELDS.map((name) => cut(this[name])), chances: [...this.chances].map(([tile, all]) => [tile, cut(all)]),
    };
  }

  restore(dump, line) {
    if (line.shared(dump.line) < dump.chunks[0]?.to) return;
    this.forget();
    this.reserve(dump.count);
    FIELDS.forEach((name, i) => this[name].set(dump.arrays[i]));
    this.chances = new Map(dump.chances.map(([tile, all]) => {
      const array = new Float32Array(this.room).fill(NaN);
      array.set(all);
      return [tile, array];
    }));
    Object.assign(this, { line: dump.line, count: dump.count, chunks: [...dump.chunks], answer: dump.answer });
    this.adopt(line);
  }

  /** The name of a move's grade, or null. */
  grade(ply) {
    return ply < this.count ? GRADES[this.grades[ply]] ?? null : null;
  }

  /** The mean over all moves that were reviewed, in percent; null if it is not known. */
  get accuracy() {
    const known = this.chunks.filter(({ accuracy }) => accuracy !== null);
    const moves = known.reduce((sum, chunk) => sum + chunk.moves, 0);
    return moves === 0 ? null : known.reduce((sum, chunk) => sum + chunk.accuracy * chunk.moves, 0) / moves;
  }

  /** How many moves have each grade. */
  tally() {
    const counts = new Array(GRADES.length).fill(0);
    for (let ply = 0; ply < this.count; ply += 1) if (this.grades[ply] !== UNKNOWN) counts[this.grades[ply]] += 1;
    return counts;
  }

  /** The plies worth a look: inaccuracies and worse; where there are none, slight losses. */
  mistakes() {
    const from = (least) => {
      const plies = [];
      for (let ply = 0; ply < this.count; ply += 1) if (this.grades[ply] !== UNKNOWN && this.grades[ply] >= least) plies.push(ply);
      return plies;
    };
    const found = from(INACCURACY);
    return found.length > 0 ? found : from(INACCURACY - 1);
  }

  /** The worst moves, the worst first. */
  worst(count, least = INACCURACY - 1) {
    const plies = [];
    for (let ply = 0; ply < this.count; ply += 1) if (this.grades[ply] !== UNKNOWN && this.grades[ply] >= least) plies.push(ply);
    const rank = (ply) => this.grades[ply] * 1e6 + Math.min(this.shares[ply] || 0, 1e5);
    return plies.sort((a, b) => rank(b) - rank(a)).slice(0, count);
  }

  /** The worst that are mistakes at least. */
  grave(count) {
    return this.worst(count, MISTAKE);
  }

  /** A move as a sentence needs it. */
  move(ply) {
    return { ply, grade: this.grade(ply), loss: this.losses[ply], best: MOVES[this.best[ply]] ?? null, value: this.values[ply] };
  }
}
