// The chooser of a formation to practise: those with a table, and those that are solved when they are chosen.
import { field, make } from "./element.js";
import { tile, WALLS } from "./notation.js";
import { games } from "./variant.js";
import { isWalled, parseWalled } from "./walls.js";

/** A chooser; `onstart(id)` begins. */
export class DrillChooser {
  constructor(onstart) {
    this.list = make("select");
    this.start = make("button", { class: "main", text: "Start", title: "A start by chance" });
    this.none = make("p", { class: "note", hidden: true }, "There is no formation to practise yet. Solve one, such as ",
      make("code", { text: "tilebase solve 4x4 --formation L3 --to 64 --out tables/L3-64" }), ", and serve it with ", make("code", { text: "tilebase serve --tables tables" }), ".");
    this.form = make("form", { class: "inline", onsubmit: (event) => {
      event.preventDefault();
      onstart(this.list.value);
    } }, field("Formation", this.list), this.start);
    this.element = make("div", { class: "chooser" }, this.form, this.none);
  }

  async load() {
    const { tables, onDemand } = await games();
    const known = practised(tables);
    const others = practised(onDemand).filter((id) => !known.includes(id));
    this.form.hidden = known.length + others.length === 0;
    this.none.hidden = !this.form.hidden;
    this.list.replaceChildren(...[group("Solved", known), group("Solved when they are chosen", others)].filter(Boolean));
    if (this.id) this.set(this.id);
  }

  /** Shows a formation as chosen. */
  set(id) {
    this.id = id;
    if (![...this.list.options].some(({ value }) => value === id)) this.list.prepend(make("option", { value: id, text: title(id) }));
    this.list.value = id;
  }
}

/** The formations that can be practised, sorted by name and target. */
function practised(ids) {
  const isFit = (id) => {
    try {
      return isWalled(id) && parseWalled(id).id === id;
    } catch {
      return false;
    }
  };
  return ids.filter(isFit).sort((a, b) => title(a).localeCompare(title(b), "en", { numeric: true }));
}

const group = (label, ids) => (ids.length === 0 ? null : make("optgroup", { label }, ids.map((value) => make("option", { value, text: title(value) }))));

/** A formation in words: L3 to 64. */
export function title(id) {
  const { name, target, twos } = parseWalled(id);
  const [part, formation] = WALLS.exec(id);
  return `${formation ?? part.slice(1)} to ${tile(target)}${name === "4x4" ? "" : ` on ${name}`}${twos === 900_000_000 ? "" : ` (${id})`}`;
}
