// The chooser of a goal: the game on 4x4 with or without a target, small games that are solved, or any other.
import { ask } from "./backend.js";
import { field, make, select } from "./element.js";
import { words } from "./notation.js";
import { isWalled } from "./walls.js";

/** Goals of the game on 4x4. */
const GOALS = [["4x4", "No target: as far as it goes"], ...[11, 12, 13, 14, 15, 16].map((e) => [`4x4-to-${2 ** e}`, `Reach ${2 ** e}`])];
const OWN = "own";

/** The games that can be asked now. */
export async function games() {
  const { variants, on_demand, damaged } = await ask("variants");
  return { tables: variants.map((v) => v.id), onDemand: on_demand, damaged };
}

/** A chooser; `onchange` gets the id of a game. */
export class VariantChooser {
  constructor(onchange) {
    this.onchange = onchange;
    this.list = make("select", { onchange: () => this.chosen() });
    this.list.append(...lists([], []));
    const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => [String(from + i), String(from + i)]);
    this.rows = select(numbers(1, 4), "3");
    this.cols = select(numbers(1, 4), "3");
    const targets = Array.from({ length: 15 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]);
    this.target = select([["", "none"], ...targets], "128");
    this.objective = select([["win", "winning"], ["score", "points"], ["moves", "fewest moves"], ["survival", "longest game"]], "win");
    this.own = make("form", { class: "own", hidden: true, onsubmit: (event) => this.made(event) },
      field("Rows", this.rows), field("Columns", this.cols), field("To", this.target), field("Played for", this.objective),
      make("button", { text: "Use this game" }));
    this.element = make("div", { class: "chooser" }, field("Goal", this.list), this.own);
  }

  async load() {
    const { tables: all, onDemand, damaged } = await games();
    // Boards with walls are not played here: formations are found from real positions, and practised elsewhere.
    const tables = all.filter((id) => !isWalled(id));
    this.list.replaceChildren(...lists(tables, onDemand.filter((id) => !isWalled(id) && !tables.includes(id))));
    if (damaged.length > 0) this.list.title = `Damaged tables: ${damaged.join(", ")}`;
    if (this.id) this.set(this.id);
  }

  /** Shows a game as chosen. */
  set(id) {
    this.id = id;
    if (![...this.list.options].some((option) => option.value === id)) {
      this.list.prepend(make("option", { value: id, text: words(id) }));
    }
    this.list.value = id;
    this.own.hidden = true;
  }

  chosen() {
    this.own.hidden = this.list.value !== OWN;
    if (this.list.value === OWN) this.rows.focus();
    else this.onchange((this.id = this.list.value));
  }

  made(event) {
    event.preventDefault();
    const to = this.target.value ? `-to-${this.target.value}` : "";
    const id = `${this.rows.value}x${this.cols.value}${to}-${to || this.objective.value !== "win" ? this.objective.value : "score"}`;
    this.set(id);
    this.onchange(id);
  }
}

/** The games as options. */
function lists(tables, onDemand) {
  const options = (all) => all.map(([value, text]) => make("option", { value, text }));
  const group = (label, all) => (all.length === 0 ? null : make("optgroup", { label }, options(all)));
  const named = (ids) => ids.map((id) => [id, words(id)]);
  return [
    group("2048 on 4x4", GOALS),
    group("Solved: every position is known", named(tables)),
    group("Small games, solved when they are chosen", named(onDemand)),
    make("option", { value: OWN, text: "Another game …" }),
  ].filter(Boolean);
}
