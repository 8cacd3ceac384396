// The chooser of games: those that are ready, or any other.
import { ask, isLocal } from "./backend.js";
import { field, make, select } from "./element.js";
import { words } from "./notation.js";

const SEARCHED = ["4x4", "4x4-to-2048"];
const OWN = "own";

/** The game to begin with, and a position of it whose moves all have different values. A server solves it in
 * about a second; a static site brings the table of a smaller game along. */
export const FIRST = isLocal
  ? { id: "3x3-to-128-win", start: "0x652341201" }
  : { id: "3x3-to-256-win", start: "0x761352101" };

/** The games that can be asked now. */
export async function games() {
  const { variants, on_demand, damaged } = await ask("variants");
  return { tables: variants.map((v) => v.id), onDemand: on_demand, damaged };
}

/** A chooser of games; `onchange` gets an id. `searched` offers games that are only searched. */
export class VariantChooser {
  constructor(onchange, { searched = true } = {}) {
    this.onchange = onchange;
    this.searched = searched;
    this.list = make("select", { onchange: () => this.chosen() });
    const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => [String(from + i), String(from + i)]);
    this.rows = select(numbers(1, 4), "3");
    this.cols = select(numbers(1, 4), "3");
    const targets = Array.from({ length: 15 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]);
    this.target = select([["", "none"], ...targets], "128");
    this.objective = select([["win", "winning"], ["score", "points"], ["moves", "fewest moves"], ["survival", "longest game"]], "win");
    this.own = make("form", { class: "own", hidden: true, onsubmit: (event) => this.made(event) },
      field("Rows", this.rows), field("Columns", this.cols), field("To", this.target), field("Played for", this.objective),
      make("button", { text: "Use this game" }));
    this.element = make("div", { class: "chooser" }, field("Game", this.list), this.own);
  }

  async load() {
    const { tables, onDemand, damaged } = await games();
    const group = (label, ids) => (ids.length === 0 ? null : make("optgroup", { label }, ids.map((id) => make("option", { value: id, text: words(id) }))));
    const solved = onDemand.filter((id) => !tables.includes(id));
    this.list.replaceChildren(...[
      group("Ready: every position known", tables),
      group("Solved on demand", solved),
      this.searched ? group("Searched, not solved", SEARCHED) : null,
      make("option", { value: OWN, text: "Another game …" }),
    ].filter(Boolean));
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
