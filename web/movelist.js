// The moves of a line as a list of any length: only the rows that are seen exist.
import { make } from "./element.js";
import { ARROWS } from "./moves.js";
import { whole } from "./numbers.js";

/** The height of a row in pixels, as review.css has it. */
const ROW = 32;

export class MoveList {
  /** `onpick` gets the ply of a row, which is shown as the position after that many moves. */
  constructor(onpick) {
    this.onpick = onpick;
    this.rows = make("ol", { class: "move-rows" });
    this.element = make("div", { class: "move-list", role: "region", "aria-label": "Moves", onscroll: () => this.render() }, this.rows);
    new ResizeObserver(() => this.render()).observe(this.element);
  }

  /** Shows a line at a ply; `remark(ply)` gives `{ grade, text }` about a move, or null. */
  show(line, at, remark) {
    const moved = this.at !== at || this.line !== line;
    Object.assign(this, { line, at, remark });
    this.rows.style.blockSize = `${(line.length + 1) * ROW}px`;
    const { scrollTop, clientHeight } = this.element;
    const seen = at * ROW >= scrollTop && (at + 1) * ROW <= scrollTop + clientHeight;
    if (moved && !seen && clientHeight > 0) this.element.scrollTop = Math.max(at * ROW - clientHeight / 2, 0);
    this.render();
  }

  render() {
    const { line } = this;
    if (!line) return;
    const first = Math.max(Math.floor(this.element.scrollTop / ROW) - 2, 0);
    const last = Math.min(first + Math.ceil((this.element.clientHeight || 320) / ROW) + 4, line.length);
    const here = Math.min(Math.max(this.at, first), last);
    const focused = this.rows.contains(document.activeElement) ? Number(document.activeElement.dataset.ply) : null;
    this.rows.replaceChildren(...Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => this.row(first + i, here)));
    if (focused !== null) this.rows.querySelector(`[data-ply="${focused}"]`)?.focus({ preventScroll: true });
  }

  row(ply, here) {
    const { line, at } = this;
    const { cols } = line.variant.shape;
    const { move, cell, tile } = ply === 0 ? {} : line.ply(ply - 1);
    const about = ply === 0 ? null : this.remark(ply - 1);
    const fell = cell === undefined ? "" : `${tile} at ${Math.floor(cell / cols) + 1},${(cell % cols) + 1}`;
    const item = make("li", { "aria-setsize": line.length + 1, "aria-posinset": ply + 1 }, make("button", {
      type: "button", class: "move-row", "data-ply": ply, "data-grade": about?.grade ?? false, "aria-current": ply === at ? "step" : false,
      tabindex: ply === here ? 0 : -1, onclick: () => this.onpick(ply),
    }, make("span", { class: "count", text: ply === 0 ? "" : `${whole(ply)}.` }),
    move ? [make("span", { text: ARROWS[move], "aria-hidden": true }), make("span", { class: "unseen", text: move })] : make("span", { text: "start" }),
    move ? make("span", { class: "fell", text: fell }) : null,
    about ? make("span", { class: "remark", text: about.text }) : null));
    item.style.insetBlockStart = `${ply * ROW}px`;
    return item;
  }
}
