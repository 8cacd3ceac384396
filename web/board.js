// A board as an element: looked at, edited, or waiting for a tile to be put into a cell.
import { make } from "./element.js";
import { tile, exponent } from "./notation.js";
import { open } from "./rules.js";

const SWIPE = 24;
const DRAG = 6;
/** How long a slide is seen, in milliseconds. */
const SLIDE = 110;

/** A board. `on` may have `raise(cell, by)`, `set(cell, exponent)`, `carry(from, to)` for editing
 * (`to` is null outside the board), `drop(cell)`, and `swipe(move)`. */
export class BoardView {
  constructor(label, on = {}) {
    this.label = label;
    this.on = on;
    this.focused = 0;
    this.typed = { cell: -1, text: "", at: 0 };
    this.element = make("div", {
      class: "board", "aria-label": label,
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.press(event),
      onclick: (event) => this.click(this.under(event)),
      onfocusin: (event) => this.here(this.under(event)),
      oncontextmenu: (event) => { if (this.mode === "edit") event.preventDefault(); },
    });
  }

  /** Shows a board. `mode` is view, edit or drop; `notes` are texts for cells; `fresh` is the
   * cell of the tile that fell last, `merged` the cells where tiles met, `slid` the slide that led
   * here, which is seen if the board before it was shown; `wall` is the exponent that stands for a wall. */
  show(board, { mode = "view", notes = {}, fresh = null, merged = [], slid = null, wall = null } = {}) {
    const motion = this.motionTo(board, slid);
    const had = this.element.contains(document.activeElement);
    this.board = board;
    this.mode = mode;
    const acts = mode !== "view";
    const choices = mode === "drop" ? open(board) : board.cells.map((_, cell) => cell);
    if (!choices.includes(this.focused)) this.focused = choices[0] ?? 0;
    this.element.dataset.mode = mode;
    // Where fingers move tiles they do not move the page.
    this.element.style.touchAction = mode === "edit" || (mode === "view" && this.on.swipe) ? "none" : "manipulation";
    this.element.setAttribute("role", acts ? "grid" : "table");
    this.element.style.setProperty("--rows", board.rows);
    this.element.style.setProperty("--cols", board.cols);
    this.cells = board.cells.map((e, cell) => {
      const row = Math.floor(cell / board.cols) + 1;
      const col = (cell % board.cols) + 1;
      const walled = e > 0 && e === wall;
      const text = e === 0 || walled ? "" : tile(e);
      const note = notes[cell] ?? "";
      const can = choices.includes(cell);
      return make("div", {
        role: acts ? "gridcell" : "cell",
        class: `cell${cell === fresh ? " fresh" : ""}${merged.includes(cell) ? " merged" : ""}`,
        "data-e": walled ? "wall" : Math.min(e, 17), "data-cell": cell, "data-long": text.length > 3 ? Math.min(text.length, 6) : false,
        tabindex: acts ? (cell === this.focused ? 0 : -1) : false,
        "aria-disabled": acts && !can ? "true" : false,
        "aria-label": `row ${row} column ${col}: ${text || (walled ? "wall" : "empty")}${note ? `, ${note}` : ""}`,
      }, text ? make("span", { text, "aria-hidden": true }) : note && !walled ? make("small", { text: note, "aria-hidden": true }) : null);
    });
    this.element.replaceChildren(...Array.from({ length: board.rows }, (_, row) => make("div", { role: "row", class: "row" },
      this.cells.slice(row * board.cols, (row + 1) * board.cols))));
    if (had && acts) this.cells[this.focused]?.focus({ preventScroll: true });
    if (motion) this.animate(motion);
  }

  /** The slide that is to be seen, if any: a new one, or one that is under way. */
  motionTo(board, slid) {
    const same = (a, b) => a?.cells.length === b?.cells.length && a.cells.every((e, at) => e === b.cells[at]);
    const now = performance.now();
    const busy = now - (this.last ?? 0) < SLIDE;
    if (this.board && same(this.board, board)) return busy ? this.motion : null;
    const begins = slid && this.board && same(this.board, slid.before) && !busy;
    this.last = now;
    this.motion = begins && !matchMedia("(prefers-reduced-motion: reduce)").matches ? { paths: slid.paths, began: now } : null;
    return this.motion;
  }

  animate({ paths, began }) {
    const { cols } = this.board;
    for (const { from, to } of paths) {
      if (from === to) continue;
      const cell = this.cells[to];
      const step = cell.offsetWidth + 8;
      const [dx, dy] = [((from % cols) - (to % cols)) * step, (Math.floor(from / cols) - Math.floor(to / cols)) * step];
      const motion = cell.animate([{ translate: `${dx}px ${dy}px`, zIndex: 1 }, { translate: "0 0", zIndex: 1 }], { duration: SLIDE, easing: "ease-out" });
      motion.currentTime = performance.now() - began;
    }
  }

  /** Outlines these cells alone, until another board is shown. */
  outline(cells) {
    this.cells.forEach((cell, at) => cell.classList.toggle("outlined", cells.includes(at)));
  }

  /** Puts the focus into a cell. */
  focus(cell = this.focused) {
    this.here(cell);
    this.cells[cell].focus({ preventScroll: true });
  }

  /** The one cell that the tab key comes to. */
  here(cell) {
    if (cell === null || this.mode === "view") return;
    this.cells[this.focused]?.setAttribute("tabindex", -1);
    this.focused = cell;
    this.cells[cell].setAttribute("tabindex", 0);
  }

  key(event) {
    if (this.mode === "view" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, cols } = this.board;
    const at = this.focused;
    const [row, col] = [Math.floor(at / cols), at % cols];
    const steps = {
      ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1], ArrowUp: [row - 1, col], ArrowDown: [row + 1, col],
      Home: [row, 0], End: [row, cols - 1],
    };
    const step = steps[event.key];
    if (step) {
      const [r, c] = [Math.min(Math.max(step[0], 0), rows - 1), Math.min(Math.max(step[1], 0), cols - 1)];
      this.focus(r * cols + c);
    } else if (this.mode === "drop" && (event.key === "Enter" || event.key === " ")) {
      if (this.board.cells[at] === 0) this.on.drop?.(at);
    } else if (this.mode === "edit" && !this.write(event.key, at)) {
      return;
    }
    if (this.mode === "edit" || step || event.key === "Enter" || event.key === " ") event.preventDefault();
  }

  /** A key in a cell that is edited. Digits that follow each other soon make one tile. */
  write(key, cell) {
    if (["+", "=", "Enter", " "].includes(key)) this.on.raise?.(cell, 1);
    else if (key === "-") this.on.raise?.(cell, -1);
    else if (["Delete", "Backspace", "."].includes(key)) this.on.set?.(cell, 0);
    else if (/^\d$/.test(key)) {
      const soon = this.typed.cell === cell && performance.now() - this.typed.at < 1500;
      const text = soon ? this.typed.text + key : key;
      this.typed = { cell, text, at: performance.now() };
      const e = text === "0" ? 0 : exponent(text);
      const alone = exponent(key);
      if (!Number.isNaN(e)) this.on.set?.(cell, e);
      else if (!soon && !Number.isNaN(alone)) this.on.set?.(cell, alone);
    } else return false;
    return true;
  }

  click(cell) {
    if (this.mode === "drop" && cell !== null && this.board.cells[cell] === 0) this.on.drop?.(cell);
  }

  press(event) {
    const cell = this.under(event);
    if (this.mode === "drop" || (this.mode === "view" && !this.on.swipe)) return;
    if (this.mode === "edit" && cell === null) return;
    const { clientX: x, clientY: y, button, shiftKey } = event;
    const ghost = this.mode === "edit" ? this.cells[cell] : null;
    if (ghost) {
      event.preventDefault();
      this.focus(cell);
    }
    const far = (e) => Math.hypot(e.clientX - x, e.clientY - y);
    const move = (e) => {
      if (!ghost || this.board.cells[cell] === 0 || far(e) < DRAG) return;
      ghost.classList.add("carried");
      ghost.style.translate = `${e.clientX - x}px ${e.clientY - y}px`;
    };
    const end = (e) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      if (ghost) {
        const carried = ghost.classList.contains("carried");
        ghost.classList.remove("carried");
        ghost.style.translate = "";
        if (e.type === "pointercancel") return;
        const to = this.at(e.clientX, e.clientY);
        if (carried && to !== cell) this.on.carry?.(cell, to);
        else if (!carried && to === cell) this.on.raise?.(cell, button === 2 || shiftKey ? -1 : 1);
      } else if (e.type === "pointerup" && far(e) >= SWIPE) {
        const [dx, dy] = [e.clientX - x, e.clientY - y];
        const across = Math.abs(dx) > Math.abs(dy);
        this.on.swipe(across ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up");
      }
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }

  under(event) {
    const cell = event.target.closest?.("[data-cell]");
    return cell ? Number(cell.dataset.cell) : null;
  }

  at(x, y) {
    const cell = document.elementFromPoint(x, y)?.closest("[data-cell]");
    return cell && this.element.contains(cell) ? Number(cell.dataset.cell) : null;
  }
}
