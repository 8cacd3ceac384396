// The verdict on a move that someone made: its grade, and a sentence about it.
import { grade } from "./numbers.js";

/** Grades that count as right. */
const RIGHT = ["best", "about_equal"];

/** What a move is worth among those of a position: `{ made, best, graded, right, text }`. */
export function judge(move, position) {
  const made = position.moves.find((one) => one.move === move);
  const best = position.moves.find((one) => one.is_best) ?? position.moves[0];
  const graded = made ? grade(made, best?.value ?? position.value, position.objective) : null;
  const name = graded?.name;
  const text = !graded ? `${sentence(move)}: nothing is known about it.`
    : name === "best" ? `${sentence(move)} is the best move.`
      : name === "about_equal" ? `${sentence(move)} is about as good as the best move, ${best.move}.`
        : `${sentence(move)} is ${a(graded.word)}. Best is ${best.move}.`;
  return { made, best, graded, right: RIGHT.includes(name), text };
}

/** A word at the beginning of a sentence. */
export const sentence = (text) => text[0].toUpperCase() + text.slice(1);
const a = (word) => `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
