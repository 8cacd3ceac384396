// A drawing that is moved and zoomed by pointer and keys, with links in it.
import { make } from "./element.js";

/** Pixels that a pointer may tremble and still click. */
const TREMBLE = 4;

/** A sheet for drawings; `onzoom(share)` is told how much of the width is seen. */
export class Paper {
  constructor(label, onzoom) {
    this.onzoom = onzoom;
    this.pointers = new Map();
    // A shadow tree keeps the drawing's own style to itself.
    this.element = make("div", {
      class: "paper", tabindex: 0, role: "application", "aria-roledescription": "diagram", "data-keys": true, "aria-label": label,
      onkeydown: (event) => this.key(event), onpointerdown: (event) => this.press(event), ondblclick: (event) => this.zoom(1.6, event),
    });
    this.shadow = this.element.attachShadow({ mode: "open" });
    this.element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), event);
    }, { passive: false });
    this.shadow.addEventListener("focusin", (event) => this.reveal(event.target));
  }

  /** Shows a drawing with its style, all of it. */
  show(svg, style) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${style} svg { display: block; inline-size: 100%; block-size: 100%; }`);
    this.shadow.adoptedStyleSheets = [sheet];
    this.shadow.replaceChildren(svg);
    this.svg = svg;
    this.full = svg.getAttribute("viewBox").split(" ").map(Number);
    this.element.style.aspectRatio = `${this.full[2]} / ${this.full[3]}`;
    this.begin();
  }

  /** All of it; on a narrow screen its beginning, large enough to be read. */
  begin() {
    const { width, height } = this.element.getBoundingClientRect();
    const [x, y, w, h] = this.full;
    const unit = Math.max(h / height, 1.2);
    if (width === 0 || width > 640 || w / width < unit) this.all();
    else this.set(x, y - Math.max(height * unit - h, 0) / 2, width * unit, height * unit);
  }

  all() {
    if (this.svg) this.set(...this.full);
  }

  set(x, y, w, h) {
    this.box = [x, y, w, h];
    this.svg.setAttribute("viewBox", this.box.map((n) => n.toFixed(2)).join(" "));
    this.onzoom(this.full[2] / w);
  }

  /** Units of the drawing for each pixel. */
  get unit() {
    const { width, height } = this.element.getBoundingClientRect();
    return Math.max(this.box[2] / width, this.box[3] / height);
  }

  /** Zooms about the pointer, or the middle. */
  zoom(by, event = null) {
    if (!this.svg) return;
    const [x, y, w, h] = this.box;
    const to = Math.min(Math.max(w / by, this.full[2] / 40), this.full[2] * 1.5);
    const scale = to / w;
    let [px, py] = [x + w / 2, y + h / 2];
    if (event) {
      const rect = this.element.getBoundingClientRect();
      px += (event.clientX - rect.left - rect.width / 2) * this.unit;
      py += (event.clientY - rect.top - rect.height / 2) * this.unit;
    }
    this.set(px - (px - x) * scale, py - (py - y) * scale, w * scale, h * scale);
  }

  pan(dx, dy) {
    const [x, y, w, h] = this.box;
    this.set(x + dx, y + dy, w, h);
  }

  key(event) {
    if (!this.svg || event.ctrlKey || event.metaKey || event.altKey) return;
    const [, , w, h] = this.box;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const link = this.shadow.activeElement;
    if (way && link) this.next(link, way);
    else if (way) this.pan(way[0] * (w / 10), way[1] * (h / 10));
    else if (event.key === "Enter" && !link) this.enter();
    else if (event.key === "Escape" && link) this.element.focus();
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0" || event.key === "Home") this.all();
    else return;
    event.preventDefault();
  }

  /** Links with the middles of what they show, in units of the drawing. */
  places() {
    return [...this.svg.querySelectorAll("a")].map((link) => {
      const { x, y, width, height } = link.getBBox();
      return { link, x: x + width / 2, y: y + height / 2 };
    });
  }

  /** The keys go from the sheet to the link in its middle. */
  enter() {
    const [x, y, w, h] = this.box;
    const far = (place) => Math.hypot(place.x - (x + w / 2), place.y - (y + h / 2));
    this.places().sort((a, b) => far(a) - far(b))[0]?.link.focus({ preventScroll: true });
  }

  /** The nearest link that way; what lies aside is farther. */
  next(from, [dx, dy]) {
    const places = this.places();
    const here = places.find(({ link }) => link === from);
    const cost = (place) => {
      const [x, y] = [place.x - here.x, place.y - here.y];
      const along = x * dx + y * dy;
      return along < 1 ? Infinity : along + 2.5 * Math.abs(x * dy - y * dx);
    };
    const [best] = places.filter((place) => cost(place) < Infinity).sort((a, b) => cost(a) - cost(b));
    best?.link.focus({ preventScroll: true });
  }

  /** Moves the sheet so that a link is seen. */
  reveal(link) {
    const place = this.places().find((one) => one.link === link);
    if (!place) return;
    const [x, y, w, h] = this.box;
    const outside = (at, from, size) => at < from + size * 0.08 || at > from + size * 0.92;
    if (outside(place.x, x, w) || outside(place.y, y, h)) this.set(place.x - w / 2, place.y - h / 2, w, h);
  }

  /** Moves with one pointer, and zooms with two. A pointer that stays where it is clicks. */
  press(event) {
    if (!this.svg || event.button > 0) return;
    this.pointers.set(event.pointerId, event);
    if (this.pointers.size > 1) return;
    const began = event;
    let moved = false;
    const move = (e) => {
      const last = this.pointers.get(e.pointerId);
      if (!last) return;
      if (!moved && this.pointers.size === 1 && Math.hypot(e.clientX - began.clientX, e.clientY - began.clientY) < TREMBLE) return;
      if (!moved) this.element.setPointerCapture(e.pointerId);
      moved = true;
      this.drag(last, e);
      this.pointers.set(e.pointerId, e);
    };
    const up = (e) => {
      this.pointers.delete(e.pointerId);
      if (this.pointers.size > 0) return;
      for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, up);
      document.removeEventListener("pointermove", move);
    };
    document.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, up);
  }

  drag(last, e) {
    const others = [...this.pointers.values()].filter((p) => p.pointerId !== e.pointerId);
    if (others.length === 0) {
      this.pan((last.clientX - e.clientX) * this.unit, (last.clientY - e.clientY) * this.unit);
      return;
    }
    const apart = (p) => Math.hypot(p.clientX - others[0].clientX, p.clientY - others[0].clientY);
    if (apart(last) > 0) this.zoom(apart(e) / apart(last), { clientX: (e.clientX + others[0].clientX) / 2, clientY: (e.clientY + others[0].clientY) / 2 });
  }
}
