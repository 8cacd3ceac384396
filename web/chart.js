// Curves over a game of any length. Where there are more moves than pixels, a pixel shows the least and the most of
// its moves. The whole is a slider for those who cannot see it.
import { draw, make } from "./element.js";
import { GRADES } from "./verdicts.js";

const H = 170;
const [LEFT, RIGHT, UP, DOWN] = [52, 12, 10, 30];

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

/** A chart; a click or an arrow key calls `onpick` with a ply. */
export class GameChart {
  constructor(onpick) {
    this.onpick = onpick;
    this.width = 640;
    this.readout = make("p", { class: "note said" });
    this.plot = make("div", {
      class: "chart game", role: "slider", tabindex: 0, "aria-label": "Place in the game", "aria-valuemin": 0, "aria-valuemax": 0, "aria-valuenow": 0,
      onclick: (event) => onpick(this.plyAt(event)), onkeydown: (event) => this.key(event),
      onpointermove: (event) => this.hover(this.plyAt(event)), onpointerleave: () => this.hover(null),
    });
    this.legend = make("ul", { class: "legend" });
    this.element = make("div", { class: "game-chart" }, this.plot, this.legend, this.readout);
    watchWidth(this.plot, (width) => {
      this.width = width;
      if (this.data) this.draw(this.data);
    });
  }

  /** Draws curves: `series` of `{ name, values }` with NaN where a value is not known, over `count` positions; `marks` of
   * `{ ply, grade }`; `top` is 1 for chances; `say(ply)` and `tick(value)` give texts. */
  draw(data) {
    this.data = data;
    const { count, series, marks, tick } = data;
    const [low, high] = range(data);
    this.y = (v) => UP + (H - UP - DOWN) * (1 - (v - low) / (high - low || 1));
    const ticks = roundTicks(low, high).flatMap((v) => [
      draw("line", { class: "rule", x1: LEFT, x2: this.width - RIGHT, y1: this.y(v), y2: this.y(v) }),
      draw("text", { class: "tick", x: LEFT - 6, y: this.y(v) + 4, "text-anchor": "end" }, tick(v)),
    ]);
    this.cursor = draw("line", { class: "here", y1: UP, y2: H - DOWN });
    this.dots = series.map((_, i) => draw("circle", { class: "at", "data-curve": i, r: 4.5 }));
    this.plot.replaceChildren(draw("svg", { viewBox: `0 0 ${this.width} ${H}`, "aria-hidden": true, focusable: "false" }, ticks,
      series.map(({ values }, i) => draw("path", { class: "curve", "data-curve": i, d: this.path(values, count) })),
      this.slips(marks), this.cursor, this.dots,
      draw("text", { class: "tick", x: LEFT, y: H - 2 }, "start"),
      count > 1 ? draw("text", { class: "tick", x: this.width - RIGHT, y: H - 2, "text-anchor": "end" }, `move ${count - 1}`) : []));
    this.legend.hidden = series.length < 2;
    this.legend.replaceChildren(...series.map(({ name }, i) => make("li", { "data-curve": i }, make("span", { class: "swatch", "aria-hidden": true }), name)));
    this.plot.setAttribute("aria-valuemax", count - 1);
    this.mark(this.at ?? 0);
  }

  x(ply) {
    return LEFT + ((this.width - LEFT - RIGHT) * ply) / Math.max(this.data.count - 1, 1);
  }

  path(values, count) {
    const per = count / (this.width - LEFT - RIGHT);
    let [d, pen] = ["", "M"];
    const to = (ply) => {
      const v = values[ply];
      if (Number.isNaN(v)) pen = "M";
      else {
        d += `${pen}${this.x(ply).toFixed(1)},${this.y(v).toFixed(1)}`;
        pen = "L";
      }
    };
    if (per <= 2) for (let ply = 0; ply < count; ply += 1) to(ply);
    else {
      for (let from = 0; from < count; from += per) {
        const [begin, end] = [Math.ceil(from), Math.min(Math.ceil(from + per), count)];
        let [least, most] = [begin, begin];
        for (let ply = begin; ply < end; ply += 1) {
          if (values[ply] < values[least] || Number.isNaN(values[least])) least = ply;
          if (values[ply] > values[most] || Number.isNaN(values[most])) most = ply;
        }
        to(Math.min(least, most));
        if (least !== most) to(Math.max(least, most));
      }
    }
    return d;
  }

  /** Marks below the curves, the worst where they would cover each other. */
  slips(marks) {
    const places = new Map();
    for (const { ply, grade } of marks) {
      const place = Math.round(this.x(ply) / 5);
      const rank = GRADES.indexOf(grade);
      if (!places.has(place) || places.get(place).rank < rank) places.set(place, { rank, ply, grade });
    }
    return [...places.values()].map(({ ply, grade }) => draw("path", {
      class: "slip", "data-grade": grade, "data-ply": ply, d: `M${this.x(ply).toFixed(1)},${H - DOWN + 3}l4.5,9h-9z`,
    }));
  }

  /** Shows where one is; cheap, for every step. */
  mark(at) {
    this.at = at;
    if (!this.data) return;
    const { count, series, say } = this.data;
    const ply = Math.min(at, count - 1);
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
    series.forEach(({ values }, i) => {
      const known = !Number.isNaN(values[ply]);
      this.dots[i].setAttribute("visibility", known ? "visible" : "hidden");
      if (!known) return;
      this.dots[i].setAttribute("cx", this.x(ply));
      this.dots[i].setAttribute("cy", this.y(values[ply]));
    });
    this.plot.setAttribute("aria-valuenow", ply);
    this.plot.setAttribute("aria-valuetext", say(ply));
    this.readout.textContent = say(ply);
  }

  hover(ply) {
    if (this.data) this.readout.textContent = this.data.say(ply ?? Math.min(this.at, this.data.count - 1));
  }

  plyAt(event) {
    const box = this.plot.getBoundingClientRect();
    const steps = this.data.count - 1;
    const part = (((event.clientX - box.left) / box.width) * this.width - LEFT) / (this.width - LEFT - RIGHT);
    return Math.min(Math.max(Math.round(part * steps), 0), steps);
  }

  key(event) {
    const { at } = this;
    const last = this.data.count - 1;
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last, PageUp: at + 10, PageDown: at - 10 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.onpick(Math.min(Math.max(to, 0), last));
  }
}

/** From the least to the most: chances of several tiles from 0 to 1, a single curve where something happens. */
function range({ series, count, top }) {
  if (top === 1 && series.length > 1) return [0, 1];
  let [least, most] = [Infinity, -Infinity];
  for (const { values } of series) {
    for (let ply = 0; ply < count; ply += 1) {
      if (values[ply] < least) least = values[ply];
      if (values[ply] > most) most = values[ply];
    }
  }
  if (least > most) return [0, 1];
  const room = Math.max((most - least) * 0.15, Math.abs(most) * 0.01, 1e-9);
  return [Math.max(least - room, 0), Math.min(most + room, top ?? Infinity)];
}

/** Three to six round numbers of a range. */
function roundTicks(low, high) {
  const rough = (high - low || 1) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 2.5, 5, 10].find((times) => times * unit >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-6);
  const last = Math.floor(high / step + 1e-6);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
