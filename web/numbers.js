// Values, chances and losses as people read them: three digits that count, probabilities as percentages.
import { OBJECTIVES } from "./objectives.js";

const DIGITS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
/** A space that does not break a line. */
const NB = "\u00a0";

/** A small number with five digits that count, or three and a power of ten. */
export function small(x) {
  return x === 0 ? "0" : x >= 1e-4 ? String(Number(x.toPrecision(5))) : power(x, 2);
}

function power(x, digits) {
  const [mantissa, exponent] = x.toExponential(digits).split("e");
  return `${mantissa}×10${[...String(Number(exponent))].map((c) => DIGITS[c]).join("")}`;
}

/** Decimals that show a number of percent with three digits that count, two where it is tiny. */
function decimals(percent) {
  const digits = percent < 0.1 ? 2 : 3;
  return Math.max(digits - 1 - Math.floor(Math.log10(percent)), 0);
}

/** A probability in percent. Close to 0 and to 1 the digits that matter are kept: those of `q`, what is missing to 1. */
export function chance(p, q = 1 - p) {
  if (q <= 0) return `100${NB}%`;
  if (p <= 0) return `0${NB}%`;
  if (q < 1e-14) return `over 99.999999999999${NB}%`;
  if (p < 1e-6) return `${power(100 * p, 1)}${NB}%`;
  if (q < 0.01) return `${(100 - 100 * q).toFixed(Math.min(decimals(100 * q), 13))}${NB}%`;
  return `${(100 * p).toFixed(decimals(100 * p))}${NB}%`;
}

/** An estimated probability: no digits that its standard error makes meaningless. */
export function estimated(p, wide) {
  if (!(wide > 0)) return chance(p);
  const digits = wide >= 0.01 ? 1 : Math.min(-Math.floor(Math.log10(100 * wide)), 6);
  const least = 10 ** -digits;
  if (p > 0 && 100 * p < least / 2) return `under ${least.toFixed(digits)}${NB}%`;
  if (p < 1 && 100 * (1 - p) < least / 2) return `over ${(100 - least).toFixed(digits)}${NB}%`;
  return `${(100 * p).toFixed(digits)}${NB}%`;
}

/** A whole number in groups of three. */
export const whole = (n) => grouped(Math.round(n));

const grouped = (x, digits = 0) => x.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replaceAll(",", NB);

/** A number with three digits that count. */
export function three(x) {
  if (x === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(Number(x.toPrecision(3)))));
  return size >= 3 ? grouped(Number(x.toPrecision(3))) : grouped(x, Math.min(2 - size, 6));
}

/** The same where there is little room: 238k, 1.24M. */
export function brief(x) {
  const rounded = Number(x.toPrecision(3));
  if (Math.abs(rounded) >= 1e6) return `${rounded / 1e6}M`;
  return Math.abs(rounded) >= 1e4 ? `${rounded / 1e3}k` : three(x);
}

/** An uncertainty: one digit, or two where the first is a 1. */
export function error(x) {
  if (!(x > 0)) return "0";
  const first = Number(x.toExponential(0)[0]);
  const rounded = Number(x.toPrecision(first === 1 ? 2 : 1));
  return rounded >= 10 ? grouped(rounded) : String(rounded);
}

/** The unit of an answer's values: probability, points, moves, or null for numbers that have none. */
export function unitOf(answer, objective = answer.objective) {
  if (answer.unit !== undefined) return answer.unit;
  const { is_probability, unit } = about(objective);
  return is_probability ? "probability" : unit || null;
}

/** A value as text. The unit follows from the objective where it is not given. */
export function valueText(answer, objective, unit = unitOf({ unit: answer.unit }, objective)) {
  const { value, win, complement, category, uncertainty } = answer;
  if (value === null || value === undefined) {
    return { won: "won", lost: "lost", sure_win: "sure win", sure_loss: "sure loss" }[category] ?? "unknown";
  }
  if (unit === "probability" && uncertainty) return estimated(value, uncertainty);
  if (unit === "probability") return value === win && complement !== null ? chance(value, complement) : chance(value);
  return unit ? `${three(value)}${NB}${value === 1 ? unit.slice(0, -1) : unit}` : three(value);
}

const SEARCH = { unit: "points", meaning: "estimated further score", larger_is_better: true };

/** An objective by name; the points of a search if it is null. */
export const about = (objective) => OBJECTIVES.find(({ name }) => name === objective) ?? SEARCH;

/** The meaning of an objective's values. */
export const meaning = (objective) => about(objective).meaning;

const GRADES = [
  { name: "best", word: "best", sign: "●", upTo: 0 },
  { name: "about_equal", word: "about equal", sign: "●", upTo: 0 },
  { name: "slight", word: "slight loss", sign: "◔", upTo: 0.005 },
  { name: "inaccuracy", word: "inaccuracy", sign: "◑", upTo: 0.02 },
  { name: "mistake", word: "mistake", sign: "◕", upTo: 0.1 },
  { name: "blunder", word: "blunder", sign: "○", upTo: Infinity },
];

/** The grade of a move: the one that came with it, or by its loss: for a probability the loss itself, for other
 * values its share of the best. */
export function grade(move, best, objective) {
  if (move.grade) return GRADES.find(({ name }) => name === move.grade);
  if (move.grade === null || move.loss === null || move.loss === undefined) return null;
  if (move.is_best || move.loss === 0) return GRADES[0];
  const share = about(objective).is_probability ? move.loss : move.loss / Math.max(Math.abs(best ?? 0), 1e-9);
  return GRADES.slice(2).find((g) => share <= g.upTo) ?? GRADES.at(-1);
}

/** A loss as text. */
export function lost(loss, objective, unit = unitOf({}, objective)) {
  if (loss === null || loss === undefined) return "";
  if (loss === 0) return "0";
  if (unit === "probability") return `−${chance(loss)}`;
  return `${about(objective).larger_is_better ? "−" : "+"}${three(loss)}`;
}

/** Seconds as people say them. */
export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
