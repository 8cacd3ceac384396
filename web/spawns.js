// Every tile that can fall, with its probability and what the position is worth then.
import { make } from "./element.js";
import { mark } from "./moves.js";
import { small, worth } from "./numbers.js";

/** A table of outcomes, the best for the player first; `ondrop` takes one. */
export function spawnTable(outcomes, variant, ondrop) {
  const { cols } = variant.shape;
  const rows = ranked(outcomes, variant.objective).map((o) => {
    const [row, col] = [Math.floor(o.cell / cols) + 1, (o.cell % cols) + 1];
    const sure = mark(o.category);
    return make("tr", { "data-cell": o.cell, "data-tile": o.tile },
      make("th", { scope: "row" }, make("button", { type: "button", class: "quiet", onclick: () => ondrop(o.cell, o.tile) }, `${o.tile} at ${row},${col}`)),
      make("td", { text: small(o.probability) }),
      make("td", { class: "value" }, worth(o, variant.objective), sure && o.value !== null ? " " : null, o.value !== null ? sure : null));
  });
  const head = (text) => make("th", { scope: "col", text });
  return make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Tiles that can fall" },
    make("table", { class: "outcomes" }, make("thead", {}, make("tr", {}, head("Tile at row, column"), head("Probability"), head("Value"))), make("tbody", {}, rows)));
}

/** Outcomes, the best for the player first. */
export function ranked(all, objective) {
  const key = (o) => [o.category === "won" || o.category === "sure_win" ? 1 : o.category === "lost" || o.category === "sure_loss" ? -1 : 0, o.win ?? 0];
  return [...all].sort((a, b) => {
    if (objective === "win" || objective === "moves") {
      const [[ca, wa], [cb, wb]] = [key(a), key(b)];
      if (ca !== cb) return cb - ca;
      if (wa !== wb) return wb - wa;
      if (a.complement !== b.complement) return (a.complement ?? 1) - (b.complement ?? 1);
    }
    const by = (b.value ?? -Infinity) - (a.value ?? -Infinity);
    return objective === "moves" ? -by : by;
  });
}
