// The four moves as bars: length by value, colour by loss.
import { make } from "./element.js";
import { about, grade, lost, meaning, valueText, whole } from "./numbers.js";
import { MOVES } from "./rules.js";

export const ARROWS = { left: "←", right: "→", up: "↑", down: "↓" };

/** A mark for what is certain, by shape and word. */
export function mark(category) {
  const marks = { sure_win: ["★", "sure win"], won: ["★", "won"], sure_loss: ["✕", "sure loss"], lost: ["✕", "lost"] };
  const found = marks[category];
  return found ? make("span", { class: `mark-${found[1].split(" ").at(-1)} sure` }, make("span", { text: found[0], "aria-hidden": true }), ` ${found[1]}`) : null;
}

/** Where the values come from, in a sentence. */
export function sourceText(position) {
  const { source, search, exact, status } = position;
  if (status === "won") return "The target is on the board: the game is won.";
  if (status === "lost") return "No slide changes the board: the game is lost.";
  if (exact) {
    const rest = status === "unreachable" ? " No game gets here, but the table knows it." : "";
    return `Exact: ${source === "table" ? "from a table" : "solved here, every position"}.${rest}`;
  }
  if (search) {
    const as = search.searched_as ? " The board was searched with its tiles halved." : "";
    return `Searched, not exact: ${search.depth} slides deep, ${whole(search.visited)} positions, evaluation ${search.evaluation}.${as}`;
  }
  return "Unknown: the table does not have this position.";
}

/** The list of moves of a position; `onmove` makes one. */
export function movesList(position, onmove) {
  const best = position.moves.find((m) => m.is_best)?.value ?? position.value;
  const known = new Map(position.moves.map((m) => [m.move, m]));
  const order = [...position.moves.map((m) => m.move), ...MOVES.filter((m) => !known.has(m))];
  const rows = order.map((name) => row(name, known.get(name), best, position, onmove));
  return make("ol", { class: "moves", "aria-label": "Moves, best first" }, rows.map((it) => make("li", {}, it)));
}

function row(name, move, best, position, onmove) {
  const arrow = make("span", { class: "arrow", text: ARROWS[name], "aria-hidden": true });
  if (!move) {
    return make("div", { class: "move closed", "data-move": name }, arrow, make("span", { class: "name", text: name }),
      make("span", { class: "remark", text: "changes nothing" }));
  }
  const objective = position.objective;
  const graded = grade(move, best, objective);
  const value = valueText(move, objective);
  const bar = make("span", { class: "bar", "aria-hidden": true }, make("span", { class: "filled" }));
  bar.firstChild.style.inlineSize = `${100 * length(move, best, objective)}%`;
  const sure = move.wins_now ? make("span", { class: "sure mark-win" }, make("span", { text: "★", "aria-hidden": true }), " wins now") : mark(move.category);
  const remark = graded ? [make("span", { class: "sign", text: graded.sign, "aria-hidden": true }), ` ${graded.word}`] : ["unknown"];
  const loss = move.loss ? make("span", { class: "loss", text: ` ${lost(move.loss, objective)}` }) : null;
  return make("button", {
    type: "button", class: "move", "data-move": name, "data-grade": graded?.name ?? "unknown",
    onclick: () => onmove(name), disabled: !onmove,
    title: `${meaning(objective)}${move.same_as ? `; the same as ${move.same_as}, turned or mirrored` : ""}`,
  }, arrow, make("span", { class: "name", text: name }), bar,
  make("span", { class: "value", text: value }),
  make("span", { class: "remark" }, remark, loss, sure ? " " : null, sure));
}

/** How long a bar is, from 0 to 1. */
function length(move, best, objective) {
  if (move.value === null) return move.category === "sure_win" ? 1 : 0;
  const { is_probability, larger_is_better } = about(objective);
  if (is_probability) return Math.max(move.value, 0.004);
  const [a, b] = larger_is_better ? [move.value, best] : [best, move.value];
  return b > 0 ? Math.min(Math.max(a / b, 0.004), 1) : 1;
}
