// What a position is worth: the chances of the next big tiles, the score to come, and where that is known from.
import { make } from "./element.js";
import { mark, sourceText } from "./moves.js";
import { error, estimated, meaning, three, unitOf, valueText } from "./numbers.js";
import { exponent, tile } from "./notation.js";

/** The headline of a position, as elements. */
export function headline(position, variant) {
  const { chances, further_score: further, moves, status } = position;
  const parts = [];
  if (status === "won" && variant.target !== null) {
    parts.push(make("p", { class: "end", "data-end": "won", text: `${tile(variant.target)} is reached${moves.length > 0 ? ", and the game goes on" : ""}.` }));
  }
  if (moves.length === 0) {
    parts.push(make("h2", { id: "position", text: status === "won" ? "The goal is reached" : "Game over" }));
  } else if (chances && Object.keys(chances).length > 0) {
    parts.push(make("h2", { id: "position", text: "Chances of the next big tiles" }), bars(position, variant));
  } else if (further === null || further === undefined || unitOf(position) === "probability") parts.push(single(position));
  else parts.push(make("h2", { id: "position", class: "unseen", text: "This position" }));
  if (moves.length > 0 && further !== null && further !== undefined) parts.push(score(position));
  if (moves.length === 0 && status === "won") return parts;
  const source = make("strong", { class: position.exact ? "exact" : "searched", text: sourceText(position) });
  return [...parts, make("p", { class: "note" }, source, unitless(position))];
}

/** One number in large letters, where that is all. */
function single(position) {
  const unit = unitOf(position);
  const sure = mark(position.category);
  const says = position.moves.length === 0 ? "" : unit === null ? "heuristic score, no unit" : meaning(position.objective);
  const number = make("span", { class: "number", text: valueText(position, position.objective, unit), title: position.value ?? "" });
  return make("h2", { id: "position", class: "headline" }, number, sure ? " " : null, sure, make("span", { class: "says-what", text: says }));
}

/** The chances as bars, smallest tile first. */
function bars({ chances, chances_uncertainty: errors }, { target }) {
  const rows = Object.entries(chances).map(([value, p]) => [Number(value), p]).sort(([a], [b]) => a - b).map(([value, p]) => {
    const e = exponent(String(value));
    const bar = make("span", { class: "bar", "aria-hidden": true }, make("span", { class: "filled" }));
    bar.firstChild.style.inlineSize = `${100 * p}%`;
    const text = estimated(p, errors?.[value]);
    // "over 99.9 %" says how sure it is.
    const wide = errors?.[value] >= 0.0005 && /^\d/.test(text) ? make("small", { text: ` ± ${Number((100 * errors[value]).toPrecision(1))}` }) : null;
    return make("li", { "data-tile": value, "data-goal": target === e ? "" : false },
      make("span", { class: "face", "data-e": Math.min(e, 17), text: String(value) }), bar,
      make("span", { class: "value" }, text, wide));
  });
  return make("ul", { class: "chances", "aria-label": "Chances of the next big tiles" }, rows);
}

function score({ further_score: value, further_score_uncertainty: about }) {
  return make("p", { class: "further" }, "Estimated further score ", make("strong", { text: three(value) }), about ? `\u00a0±\u00a0${error(about)}` : null);
}

const unitless = (position) => (unitOf(position) === null && position.moves.length > 0 ? " The numbers only rank the moves: they have no unit." : null);
