// Positions over layers, drawn as columns: values by pointer and keys, and as files.
import { watchWidth } from "./chart.js";
import { draw, make } from "./element.js";
import { whole } from "./numbers.js";

const EDGE = { left: 52, right: 14, up: 12, down: 38 };

/** The chart; `hint` is shown while there is nothing to draw. */
export class LayersChart {
  constructor(hint) {
    this.layers = [];
    this.width = 640;
    this.at = null;
    this.canvas = make("div", {
      class: "layers-chart", role: "slider", tabindex: 0, hidden: true, "aria-label": "Layer", "aria-valuemin": 0,
      onkeydown: (event) => this.key(event), onpointermove: (event) => this.point(event), onpointerdown: (event) => this.point(event),
      onpointerleave: (event) => event.pointerType === "mouse" && this.choose(null),
    });
    this.hint = make("p", { class: "note", text: hint });
    this.readout = make("p", { class: "readout", hidden: true });
    this.element = make("div", { class: "figure" }, this.hint, this.canvas, this.readout);
    watchWidth(this.element, (width) => {
      this.width = width;
      this.draw();
    });
  }

  show(layers, logarithmic) {
    this.layers = layers;
    this.logarithmic = logarithmic;
    if (this.at !== null && this.at >= layers.length) this.at = null;
    this.draw();
  }

  draw() {
    const empty = this.layers.length === 0;
    this.hint.hidden = !empty;
    this.canvas.hidden = this.readout.hidden = empty;
    if (empty) return;
    this.frame = new Frame(this.layers, this.logarithmic, this.width);
    this.marker = draw("path", { class: "marker" });
    this.canvas.replaceChildren(draw("svg", { class: "layers", viewBox: `0 0 ${this.width} ${this.frame.H}`, "aria-hidden": true, focusable: "false" },
      this.frame.parts(), this.marker));
    this.canvas.setAttribute("aria-valuemax", this.layers.length - 1);
    this.choose(this.at);
  }

  /** Shows the numbers of a layer; of the largest if none is chosen. */
  choose(at) {
    this.at = at;
    const { layers, frame } = this;
    const shown = at ?? frame.peak;
    const { sum, states } = layers[shown];
    const text = `Tile sum ${whole(sum)}: ${whole(states)} ${states === 1 ? "position" : "positions"}`;
    this.readout.textContent = at === null ? `Largest layer: ${text[0].toLowerCase()}${text.slice(1)}` : text;
    this.marker.setAttribute("d", at === null ? "" : frame.column(layers[at]));
    this.canvas.setAttribute("aria-valuenow", shown);
    this.canvas.setAttribute("aria-valuetext", text);
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const { first, last, room } = this.frame;
    const sum = first + (((event.clientX - box.left) * (this.width / box.width) - EDGE.left) / room) * (last - first + 2);
    const at = this.layers.findLastIndex((layer) => layer.sum <= sum);
    this.choose(Math.max(at, 0));
  }

  key(event) {
    const end = this.layers.length - 1;
    const at = this.at ?? this.frame.peak;
    const to = {
      ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: end,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(to, 0), end));
  }

  /** The layers as lines of comma separated values. */
  get csv() {
    return `tile_sum,positions\n${this.layers.map(({ sum, states }) => `${sum},${states}\n`).join("")}`;
  }

  /** A drawing that needs no page. */
  svg(title) {
    const [W, frame] = [900, new Frame(this.layers, this.logarithmic, 900)];
    const style = "text{font:12px system-ui,sans-serif;fill:#545d69}.rule{stroke:#d9dde3}.power{stroke:#9aa3af}.columns{fill:#0072b2}.title{font-size:15px;fill:#15191e}";
    const svg = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width: W, height: frame.H + 28, viewBox: `0 -28 ${W} ${frame.H + 28}` },
      draw("title", {}, title), draw("rect", { y: -28, width: W, height: frame.H + 28, fill: "#fff" }),
      draw("text", { class: "title", x: EDGE.left, y: -8 }, title), frame.parts());
    // The page may not have elements with styles, but the file may.
    return new XMLSerializer().serializeToString(svg).replace("</title>", `</title><style>${style}</style>`);
  }
}

/** The axes of a drawing and what is on them. */
class Frame {
  constructor(layers, logarithmic, W) {
    this.layers = layers;
    this.logarithmic = logarithmic;
    this.W = W;
    this.H = Math.round(Math.min(Math.max(W * 0.5, 220), 420));
    this.room = W - EDGE.left - EDGE.right;
    this.most = Math.max(1, ...layers.map((layer) => layer.states));
    this.peak = layers.findIndex((layer) => layer.states === this.most);
    if (this.peak < 0) this.peak = 0;
    this.first = layers[0].sum;
    this.last = Math.max(layers.at(-1).sum, this.first + 2);
    this.heights = logarithmic ? powers(this.most) : rounds(this.most);
    this.top = logarithmic ? Math.log10(this.most) + 0.3 : this.heights.at(-1);
  }

  x(sum) {
    return EDGE.left + (this.room * (sum - this.first)) / (this.last - this.first + 2);
  }

  y(n) {
    const part = this.logarithmic ? (n < 1 ? 0 : (Math.log10(n) + 0.3) / this.top) : n / this.top;
    return this.H - EDGE.down - (this.H - EDGE.up - EDGE.down) * part;
  }

  column({ sum, states }) {
    const [floor, wide] = [this.H - EDGE.down, (2 * this.room) / (this.last - this.first + 2)];
    const high = states === 0 ? 0 : Math.max(floor - this.y(states), 1);
    return `M${this.x(sum).toFixed(2)},${floor}v${(-high).toFixed(2)}h${Math.max(wide > 3 ? wide - 0.6 : wide, 0.8).toFixed(2)}v${high.toFixed(2)}z`;
  }

  parts() {
    const { W, H, first, last } = this;
    const floor = H - EDGE.down;
    const middle = (sum) => this.x(sum) + this.room / (last - first + 2);
    return [
      this.heights.map((n) => [draw("line", { class: "rule", x1: EDGE.left, x2: W - EDGE.right, y1: this.y(n), y2: this.y(n) }),
        draw("text", { class: "tick", x: EDGE.left - 6, y: this.y(n) + 4, "text-anchor": "end" }, short(n))]),
      sums(first, last, Math.max(3, Math.floor(this.room / 52))).map((sum) => [
        draw("line", { class: isPower(sum) ? "rule power" : "rule", x1: middle(sum), x2: middle(sum), y1: isPower(sum) ? EDGE.up : floor, y2: floor + 5 }),
        draw("text", { class: "tick", x: middle(sum), y: floor + 18, "text-anchor": "middle" }, String(sum))]),
      draw("path", { class: "columns", "data-layers": this.layers.length, d: this.layers.map((layer) => this.column(layer)).join("") }),
      draw("text", { class: "tick", x: EDGE.left + this.room / 2, y: H - 3, "text-anchor": "middle" }, "sum of all tiles"),
    ].flat(2);
  }
}

const isPower = (n) => Number.isInteger(Math.log2(n));

/** Sums to write below: multiples of a power of two, since layers are small just after those. */
export function sums(first, last, most) {
  let step = 4;
  while (Math.floor(last / step) - Math.ceil(first / step) + 1 > most) step *= 2;
  const from = Math.ceil(first / step) * step;
  return Array.from({ length: Math.max(Math.floor((last - from) / step) + 1, 0) }, (_, i) => from + i * step);
}

/** Round numbers from 0 to one that is not below `most`: steps of 1, 2 or 5 and zeros. */
export function rounds(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max([1, 2, 5, 10].find((n) => n * power >= rough) * power, 1);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

function powers(most) {
  const all = Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, i) => 10 ** i);
  return all.length < 7 ? all : all.filter((_, i) => i % 2 === 0);
}

/** Short numbers for axes. */
function short(n) {
  const [, unit, sign] = [[1e12, 1e12, "tn"], [1e9, 1e9, "bn"], [1e6, 1e6, "M"], [1e4, 1e3, "k"], [0, 1, ""]].find(([from]) => n >= from);
  return `${+(n / unit).toPrecision(3)}${sign}`;
}
