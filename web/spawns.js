// Every tile that can spawn, with its probability and the value that follows.
import { ask } from "./backend.js";
import { make } from "./element.js";
import { mark } from "./moves.js";
import { write } from "./notation.js";
import { about, chance, valueText } from "./numbers.js";
import { isWon, outcomes } from "./rules.js";

/** Everything that can spawn where there is no table: every position is searched one slide deep. */
export function searchedSpawns(board, variant) {
  return Promise.all(outcomes(board, variant).map(async (outcome) => {
    const { value, category } = await searched(write(outcome.board), variant);
    const won = isWon(outcome.board, variant.target);
    return { ...outcome, value: category === "lost" ? 0 : value, win: null, complement: null, category: won ? "won" : category };
  }));
}

/** A position of a game without a goal, searched one slide deep. On 4x4 by a line without moves: an advice would solve
 * the formations of each position. */
function searched(board, { name, shape }) {
  const is4x4 = shape.rows === 4 && shape.cols === 4;
  return is4x4 ? ask("line", { variant: name, board, plies: 0, depth: 1 }) : ask("advice", { board, shape: name, depth: 1 });
}

/** A table of outcomes, the best for the player first; `ondrop` takes one. */
export function spawnTable(all, { cols }, objective, ondrop) {
  const rows = ranked(all, objective).map((o) => {
    const [row, col] = [Math.floor(o.cell / cols) + 1, (o.cell % cols) + 1];
    const sure = mark(o.category);
    return make("tr", { "data-cell": o.cell, "data-tile": o.tile },
      make("th", { scope: "row" }, make("button", { type: "button", class: "quiet", onclick: () => ondrop(o.cell, o.tile) }, `${o.tile} at ${row},${col}`)),
      make("td", { text: chance(o.probability) }),
      make("td", { class: "value" }, valueText(o, objective), sure && o.value !== null ? " " : null, o.value !== null ? sure : null));
  });
  const head = (text) => make("th", { scope: "col", text });
  return make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Tiles that can spawn" },
    make("table", { class: "outcomes" }, make("thead", {}, make("tr", {}, head("Tile at row, column"), head("Chance"), head("Value"))),
      make("tbody", {}, rows)));
}

/** Outcomes, the best for the player first. */
export function ranked(all, objective) {
  const key = (o) => [o.category === "won" || o.category === "sure_win" ? 1 : o.category === "lost" || o.category === "sure_loss" ? -1 : 0, o.win ?? 0];
  return [...all].sort((a, b) => {
    if (about(objective).has_win) {
      const [[ca, wa], [cb, wb]] = [key(a), key(b)];
      if (ca !== cb) return cb - ca;
      if (wa !== wb) return wb - wa;
      if (a.complement !== b.complement) return (a.complement ?? 1) - (b.complement ?? 1);
    }
    const by = (b.value ?? -Infinity) - (a.value ?? -Infinity);
    return about(objective).larger_is_better ? by : -by;
  });
}
