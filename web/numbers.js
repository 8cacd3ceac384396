// Values and losses as people read them.
import { OBJECTIVES } from "./objectives.js";

const DIGITS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A small number with five digits that count, or three and a power of ten. */
export function small(x) {
  if (x === 0) return "0";
  if (x >= 1e-4) return String(Number(x.toPrecision(5)));
  const [mantissa, power] = x.toExponential(2).split("e");
  return `${mantissa}×10${[...String(Number(power))].map((c) => DIGITS[c]).join("")}`;
}

/** A probability; what is missing to 1 where it is near 1. */
export function chance(p, q = 1 - p) {
  if (q === 0) return "1";
  if (p === 0) return "0";
  if (q < 0.01) return `1 − ${small(q)}`;
  return p < 0.001 ? small(p) : p.toFixed(6);
}

/** A whole number in groups of three. */
export const whole = (n) => Math.round(n).toLocaleString("en-GB").replaceAll(",", " ");

const fine = (x) => {
  const digits = Math.abs(x) < 1000 ? 3 : 1;
  return x.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replaceAll(",", " ");
};

/** A value as text. `objective` is null for the points of a search. */
export function valueText({ value, win, complement, category }, objective) {
  if (value === null || value === undefined) {
    return { won: "won", lost: "lost", sure_win: "sure win", sure_loss: "sure loss" }[category] ?? "unknown";
  }
  if (about(objective).is_probability) return value === win ? chance(value, complement) : chance(value);
  return `${fine(value)} ${UNITS[about(objective).unit]}`;
}

const SEARCH = { unit: "points", meaning: "points to come, as the search estimates", larger_is_better: true };
const UNITS = { points: "pts", moves: "moves" };

/** An objective by name; the points of a search if it is null. */
export const about = (objective) => OBJECTIVES.find(({ name }) => name === objective) ?? SEARCH;

/** The meaning of an objective's values. */
export const meaning = (objective) => about(objective).meaning;

const GRADES = [
  { name: "best", word: "best", sign: "●", upTo: 0 },
  { name: "slight", word: "slight loss", sign: "◔", upTo: 0.005 },
  { name: "inaccuracy", word: "inaccuracy", sign: "◑", upTo: 0.02 },
  { name: "mistake", word: "mistake", sign: "◕", upTo: 0.1 },
  { name: "blunder", word: "blunder", sign: "○", upTo: Infinity },
];

/** The grade of a move by its loss: for a probability the loss itself, for other values its share of the best. */
export function grade(move, best, objective) {
  if (move.loss === null || move.loss === undefined) return null;
  if (move.is_best || move.loss === 0) return GRADES[0];
  const share = about(objective).is_probability ? move.loss : move.loss / Math.max(Math.abs(best ?? 0), 1e-9);
  return GRADES.slice(1).find((g) => share <= g.upTo) ?? GRADES[4];
}

/** A loss as text. */
export function lost(loss, objective) {
  if (loss === null || loss === undefined) return "";
  if (loss === 0) return "0";
  const { is_probability, larger_is_better } = about(objective);
  return is_probability ? `−${small(loss)}` : `${larger_is_better ? "−" : "+"}${fine(loss)}`;
}

/** Seconds as people say them. */
export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
