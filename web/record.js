// The record of a line of play: its moves as a list, its values as a chart, what each move lost.
import { send } from "./backend.js";
import { GameChart } from "./chart.js";
import { make } from "./element.js";
import { ARROWS } from "./moves.js";
import { about, chance, grade, worth } from "./numbers.js";
import { write } from "./notation.js";
import { solved } from "./ready.js";

const NONE = { moves: [], inaccuracies: [], none: true };

/** Two cards about a line. `onjump` goes to a node of it, `seen` gives the answer about a board if it
 * was asked for, and `ontrouble` tells what went wrong. */
export class Record {
  constructor({ onjump, seen, ontrouble }) {
    this.onjump = onjump;
    this.seen = seen;
    this.ontrouble = ontrouble;
    this.chart = new GameChart((ply) => onjump(this.nodeOf(ply)));
    this.list = make("ol", { class: "line" });
    this.slip = make("button", { type: "button", text: "Next inaccuracy", title: "Go to the next move that lost something", onclick: () => this.nextSlip() });
    this.sum = make("p", { class: "note", role: "status" });
    this.elements = [
      make("section", { class: "card", "aria-labelledby": "game-chart" }, make("h2", { id: "game-chart", text: "Value over the game" }), this.chart.element,
        make("div", { class: "row-of buttons" }, this.slip), this.sum),
      make("section", { class: "card", "aria-labelledby": "game-line" }, make("h2", { id: "game-line", text: "Line of play" }), this.list),
    ];
  }

  /** Shows a line, and asks what its moves lost if that is not known. */
  show(line) {
    this.line = line;
    if (this.judged && this.judged.text !== this.key) this.judged = null;
    this.renderList();
    this.renderChart();
    this.judge();
  }

  /** What the verdicts depend on. */
  get key() {
    return `${this.line.variant.id} ${write(this.line.start)} ${this.line.text}`;
  }

  /** The node before a move, or the last one where the tile has not fallen. */
  nodeOf(ply) {
    const at = this.line.stateOf(ply);
    return at < 0 ? this.line.nodes.length - 1 : at;
  }

  renderList() {
    const { line } = this;
    const current = line.node.ply;
    const { cols } = line.variant.shape;
    const items = line.plies().map(({ move, cell, tile }, i) => {
      const g = this.gradeOf(i);
      const fell = cell === undefined ? "" : ` ${tile} at ${Math.floor(cell / cols) + 1},${(cell % cols) + 1}`;
      return this.item(i + 1, current, g,
        make("span", { text: ARROWS[move], "aria-hidden": true }), make("span", { class: "unseen", text: move }),
        make("span", { class: "fell", text: fell }),
        g ? make("span", { class: "sign" }, g.sign, make("span", { class: "unseen", text: g.word })) : null);
    });
    this.list.replaceChildren(this.item(0, current, null, "start"), ...items);
    const here = this.list.querySelector("[aria-current]");
    if (here) this.list.scrollTop = Math.max(here.offsetTop - this.list.offsetTop - this.list.clientHeight / 2, 0);
  }

  item(ply, current, g, ...children) {
    return make("li", {}, make("button", {
      type: "button", class: "ply", "aria-current": ply === current ? "step" : false, "data-grade": g?.name ?? false,
      onclick: () => this.onjump(this.nodeOf(ply)),
    }, children));
  }

  /** What a move is called that lost something. */
  gradeOf(ply) {
    const verdict = this.judged?.moves[ply];
    return verdict && !verdict.best ? grade(verdict, verdict.before.value, this.line.variant.objective) : null;
  }

  async judge() {
    const { line, key } = this;
    if (this.judged?.text === key || this.judging === key) return;
    this.judging = key;
    const question = { variant: line.variant.id, start: write(line.start), moves: line.plies() };
    let judged;
    try {
      const known = await solved(line.variant.id);
      if (this.judging !== key) return;
      // Searched games have no verdicts; their values are shown as far as they were looked at.
      judged = known ? { text: key, ...await send("verdicts", question) } : { text: key, ...NONE };
    } catch (error) {
      judged = { text: key, ...NONE };
      if (this.judging === key) this.ontrouble(error);
    }
    if (this.judging !== key) return;
    this.judging = null;
    this.judged = judged;
    this.show(this.line);
  }

  async renderChart() {
    const { line, judged } = this;
    const { objective } = line.variant;
    const none = judged?.none ?? false;
    const count = line.plies().length + 1;
    const points = none ? await this.searchedPoints(line, count) : this.exactPoints(count);
    if (line !== this.line || judged !== this.judged) return;
    this.chart.show(points, Math.min(line.node.ply, count - 1), about(objective).is_probability && !none ? 1 : null);
    const slips = judged?.inaccuracies ?? [];
    this.slip.disabled = slips.length === 0;
    const lost = about(objective).is_probability ? chance(judged?.loss ?? 0) : worth({ value: judged?.loss ?? 0 }, objective);
    this.sum.textContent = none ? "Points of the search, with those made so far."
      : count === 1 ? "Make moves to see how the value changes."
        : !judged ? "" : slips.length === 0 ? "No move lost anything."
          : `${slips.length} of ${count - 1} moves lost something, ${lost} in all.`;
  }

  exactPoints(count) {
    const { judged } = this;
    return Array.from({ length: count }, (_, ply) => {
      const w = judged?.moves[ply]?.before ?? (ply === count - 1 ? judged : null);
      const g = this.gradeOf(ply);
      const y = w?.value ?? { won: 1, lost: 0 }[w?.category] ?? null;
      return { y, mark: g?.name, text: `move ${ply}, ${w ? worth(w, this.line.variant.objective) : "unknown"}${g ? `, then ${g.word}` : ""}` };
    });
  }

  /** Points as searches saw them, where one has looked. */
  async searchedPoints(line, count) {
    const points = Array.from({ length: count }, (_, ply) => ({ y: null, text: `move ${ply}, not looked at` }));
    for (const node of line.nodes.filter((one) => one.state)) {
      const answer = await this.seen(node.board);
      if (answer && answer.value !== null) points[node.ply] = { y: answer.value + node.score, text: `move ${node.ply}, ${worth(answer, null)}` };
    }
    return points;
  }

  /** To the position before the next move that lost something, from the first again after the last. */
  nextSlip() {
    const slips = this.judged?.inaccuracies ?? [];
    const next = slips.find((at) => at > this.line.node.ply) ?? slips[0];
    if (next !== undefined) this.onjump(this.line.stateOf(next));
  }
}
