// The four moves beside the four sides of a board: what each is worth, and which is best.
import { make } from "./element.js";
import { ARROWS, remarkOf } from "./moves.js";
import { brief, unitOf, valueText } from "./numbers.js";
import { legal, MOVES } from "./rules.js";

/** A frame around a board; `onmove` makes a move. */
export class Sides {
  constructor(board, onmove) {
    const button = (move) => make("button", { type: "button", class: `side ${move}`, "data-move": move, onclick: () => onmove(move) });
    this.buttons = Object.fromEntries(MOVES.map((move) => [move, button(move)]));
    this.element = make("div", { class: "sides" }, this.buttons.up, this.buttons.left, board, this.buttons.right, this.buttons.down);
  }

  /** Shows a board's moves; `position` is null while it is not known, `hidden` keeps the values to itself. */
  show(board, position, { hidden = false, waits = false } = {}) {
    const possible = waits ? [] : legal(board);
    const known = new Map((hidden ? [] : position?.moves ?? []).map((m) => [m.move, m]));
    for (const [name, button] of Object.entries(this.buttons)) {
      const can = possible.includes(name);
      const parts = !can ? { remark: waits ? "" : "not possible" } : known.has(name) ? open(known.get(name), position) : { value: hidden ? "" : "…" };
      button.disabled = !can;
      button.dataset.grade = parts.grade ?? "unknown";
      button.title = parts.title ?? "";
      button.replaceChildren(make("span", { class: "arrow", text: ARROWS[name], "aria-hidden": true }), make("span", { class: "unseen", text: `${name} ` }),
        make("span", { class: "value", text: parts.value ?? "" }), make("span", { class: "remark", text: parts.remark ?? "" }));
    }
  }
}

function open(move, position) {
  const { graded, loss } = remarkOf(move, position);
  const unit = unitOf(position);
  const full = valueText(move, position.objective, unit);
  const value = unit === "probability" || move.value === null ? short(full) : brief(move.value);
  const remark = move.wins_now ? "★ wins" : graded ? (loss && graded.name !== "best" ? loss : graded.word) : "";
  return { title: `${full}${graded ? `, ${graded.word}` : ""}`, value, remark, grade: graded?.name };
}

/** Beside a board there is no room for many nines. */
const short = (text) => (text.length > 9 && /99\.99/.test(text) ? ">99.99\u00a0%" : text);
