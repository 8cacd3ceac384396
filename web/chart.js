// Drawn numbers: a value over a game.
import { draw, make } from "./element.js";

/** Calls back with the width of an element, now and whenever it changes. */
export function watchWidth(element, onwidth) {
  let last = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === 0 || width === last) return;
    last = width;
    onwidth(width);
  }).observe(element);
}

/** The value over a game. Points are `{ x, y, mark, text }` with y null where it is unknown; a click
 * or an arrow key chooses one. The whole is a slider for those who cannot see it. */
export class GameChart {
  constructor(onpick) {
    this.onpick = onpick;
    this.width = 640;
    this.element = make("div", {
      class: "chart game", role: "slider", tabindex: 0, "aria-label": "Place in the game",
      "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0,
      onclick: (event) => this.click(event), onkeydown: (event) => this.key(event),
    });
    watchWidth(this.element, (width) => {
      this.width = width;
      if (this.points) this.show(this.points, this.at, this.top);
    });
  }

  show(points, at, top = null) {
    this.points = points;
    this.at = at;
    this.top = top;
    const [W, H] = [this.width, 160];
    const [left, right, up, down] = [52, 10, 10, 20];
    const known = points.filter((p) => p.y !== null);
    // The part of the range where something happens, with room below and above.
    const [least, most] = known.length === 0 ? [0, top ?? 1] : [Math.min(...known.map((p) => p.y)), Math.max(...known.map((p) => p.y))];
    const room = Math.max((most - least) * 0.15, Math.abs(most) * 0.01, 1e-9);
    const low = Math.max(least - room, 0);
    const high = Math.min(most + room, top ?? Infinity);
    const last = Math.max(points.length - 1, 1);
    const x = (i) => left + ((W - left - right) * i) / last;
    const y = (v) => up + (H - up - down) * (1 - (v - low) / (high - low || 1));
    this.x = x;
    const path = points.map((p, i) => (p.y === null ? "" : `${i > 0 && points[i - 1].y !== null ? "L" : "M"}${x(i).toFixed(1)},${y(p.y).toFixed(1)}`)).join("");
    const parts = [0, 0.5, 1].map((part) => {
      const v = low + (high - low) * part;
      return [draw("line", { class: "rule", x1: left, x2: W - right, y1: y(v), y2: y(v) }),
        draw("text", { class: "tick", x: left - 6, y: y(v) + 4, "text-anchor": "end" }, short(v))];
    });
    const marks = points.flatMap((p, i) => (p.mark && p.y !== null ? [draw("path", { class: "slip", "data-grade": p.mark, d: `M${x(i)},${y(p.y) + 5}l5,9h-10z` })] : []));
    const here = points[at];
    this.element.replaceChildren(draw("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": true, focusable: "false" },
      parts.flat(), draw("line", { class: "here", x1: x(at), x2: x(at), y1: up, y2: H - down }),
      draw("path", { class: "curve", d: path }), marks,
      points.length < 60 ? known.map((p) => draw("circle", { class: "dot", cx: x(points.indexOf(p)), cy: y(p.y), r: 2.5 })) : [],
      here && here.y !== null ? draw("circle", { class: "at", cx: x(at), cy: y(here.y), r: 5 }) : [],
      draw("text", { class: "tick", x: left, y: H - 4 }, "start"),
      points.length > 1 ? draw("text", { class: "tick", x: W - right, y: H - 4, "text-anchor": "end" }, `move ${points.length - 1}`) : []));
    this.element.setAttribute("aria-valuemax", points.length - 1);
    this.element.setAttribute("aria-valuenow", at);
    this.element.setAttribute("aria-valuetext", here ? here.text : "");
  }

  click(event) {
    const box = this.element.firstChild.getBoundingClientRect();
    const px = ((event.clientX - box.left) / box.width) * this.width;
    const steps = this.points.length - 1;
    const i = Math.round(((px - this.x(0)) / (this.x(Math.max(steps, 1)) - this.x(0))) * Math.max(steps, 1));
    this.onpick(Math.min(Math.max(i, 0), steps));
  }

  key(event) {
    const last = this.points.length - 1;
    const to = { ArrowLeft: this.at - 1, ArrowDown: this.at - 1, ArrowRight: this.at + 1, ArrowUp: this.at + 1, Home: 0, End: last, PageUp: this.at + 10, PageDown: this.at - 10 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.onpick(Math.min(Math.max(to, 0), last));
  }
}

/** Short numbers for axes. */
function short(v) {
  if (v === 0) return "0";
  if (Math.abs(v) >= 1e12) return `${+(v / 1e12).toPrecision(3)}T`;
  if (Math.abs(v) >= 1e9) return `${+(v / 1e9).toPrecision(3)}G`;
  if (Math.abs(v) >= 1e6) return `${+(v / 1e6).toPrecision(3)}M`;
  if (Math.abs(v) >= 1e4) return `${+(v / 1e3).toPrecision(3)}k`;
  return String(+v.toPrecision(4));
}
