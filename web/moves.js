// The moves of a position: what is certain, where the values come from, and the moves as bars.
import { make } from "./element.js";
import { about, error, estimated, grade, lost, three, unitOf, valueText } from "./numbers.js";
import { MOVES } from "./rules.js";

export const ARROWS = { left: "←", right: "→", up: "↑", down: "↓" };

/** A mark for what is certain, by shape and word. */
export function mark(category) {
  const marks = { sure_win: ["★", "sure win"], won: ["★", "won"], sure_loss: ["✕", "sure loss"], lost: ["✕", "lost"] };
  const found = marks[category];
  if (!found) return null;
  const [sign, word] = found;
  return make("span", { class: `mark-${word.split(" ").at(-1)} sure` }, make("span", { text: sign, "aria-hidden": true }), ` ${word}`);
}

/** Where the values come from, in a sentence. */
export function sourceText({ source, search, exact, status, moves }) {
  if (status === "lost" || (moves.length === 0 && status !== "won")) return "No move is possible: the game is over.";
  if (exact) {
    const rest = status === "unreachable" ? " No game gets here, but its value is known." : "";
    return `Exact: ${source === "table" ? "from a table" : "this game is fully solved"}.${rest}`;
  }
  if (search) {
    const as = search.searched_as ? ", with all tiles halved" : "";
    return `Estimate: searched ${search.depth} ${search.depth === 1 ? "slide" : "slides"} deep${as}.${search.quick ? " A quick one for now: the full network is still loading." : ""}`;
  }
  return status === "won" ? "The goal is reached." : "Not known: the table does not have this position.";
}

/** The tile whose chance says most about a position: the one that is least certain. */
export function openTile(chances) {
  const unsure = Object.entries(chances ?? {}).sort(([, a], [, b]) => Math.abs(a - 0.5) - Math.abs(b - 0.5));
  return unsure[0]?.[0] ?? null;
}

/** What is said of a move beside its value: its grade, and what it loses. */
export function remarkOf(move, position) {
  const graded = grade(move, position.moves.find((m) => m.is_best)?.value ?? position.value, position.objective);
  const small = graded && ["best", "about_equal"].includes(graded.name);
  const unit = unitOf(position);
  return { graded, loss: small || !move.loss || unit === null ? "" : lost(move.loss, position.objective, unit) };
}

/** The list of moves of a position; `onmove` makes one, `closed(name)` says why one cannot be made. */
export function movesList(position, onmove, closed = () => "not possible") {
  const known = new Map(position.moves.map((m) => [m.move, m]));
  const order = [...position.moves.map((m) => m.move), ...MOVES.filter((m) => !known.has(m))];
  return make("ol", { class: "moves", "aria-label": "Moves, best first" }, order.map((name) => make("li", {}, known.has(name) ? row(name, known.get(name), position, onmove) : shut(name, closed(name)))));
}

const arrowOf = (name) => make("span", { class: "arrow", text: ARROWS[name], "aria-hidden": true });

/** A move that cannot be made. */
const shut = (name, why) => make("div", { class: "move closed", "data-move": name }, arrowOf(name), make("span", { class: "name", text: name }),
  make("span", { class: "remark", text: why }));

function row(name, move, position, onmove) {
  const { graded, loss } = remarkOf(move, position);
  const bar = make("span", { class: "bar", "aria-hidden": true }, make("span", { class: "filled" }));
  bar.firstChild.style.inlineSize = `${100 * length(move, position)}%`;
  const sure = move.wins_now ? make("span", { class: "sure mark-win" }, make("span", { text: "★", "aria-hidden": true }), " wins now") : mark(move.category);
  const said = graded ? [make("span", { class: "sign", text: graded.sign, "aria-hidden": true }), ` ${graded.word}`] : ["not known"];
  const tile = openTile(position.chances);
  const odds = tile && move.chances?.[tile] !== undefined
    ? make("span", { class: "odds", text: `${tile}: ${estimated(move.chances[tile], move.chances_uncertainty?.[tile])}` }) : null;
  return make("button", {
    type: "button", class: "move", "data-move": name, "data-grade": graded?.name ?? "unknown", onclick: () => onmove(name), disabled: !onmove,
    title: `${exactly(move)}${move.same_as ? `; the same as ${move.same_as}, turned or mirrored` : ""}`,
  }, arrowOf(name), make("span", { class: "name", text: name }), bar, make("span", { class: "value", text: valueText(move, position.objective, unitOf(position)) }),
  make("span", { class: "remark" }, said, loss ? make("span", { class: "loss", text: ` ${loss}` }) : null, sure ? " " : null, sure, odds));
}

/** A value in full, for those who want every digit. */
function exactly({ value, uncertainty }) {
  if (value === null || value === undefined) return "";
  return uncertainty ? `${three(value)} ± ${error(uncertainty)}` : `${value}`;
}

/** How long a bar is, from 0 to 1. */
function length(move, position) {
  if (move.value === null) return move.category === "sure_win" ? 1 : 0;
  if (unitOf(position) === "probability") return Math.max(move.value, 0.004);
  const best = position.moves.find((m) => m.is_best)?.value ?? position.value;
  const [a, b] = about(position.objective).larger_is_better ? [move.value, best] : [best, move.value];
  return b > 0 ? Math.min(Math.max(a / b, 0.004), 1) : 1;
}
