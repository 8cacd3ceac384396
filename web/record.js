// The record of a line of play: its moves as a list, its values as a chart, and the loss of each move.
import { send } from "./backend.js";
import { GameChart } from "./chart.js";
import { make } from "./element.js";
import { ARROWS } from "./moves.js";
import { about, chance, grade, valueText } from "./numbers.js";
import { write } from "./notation.js";
import { solved } from "./ready.js";

const NONE = { moves: [], mistakes: [], none: true };

/** Two panels about a line. `onjump` goes to a node of it, `seen` gives the answer about a board if there
 * is one, and `ontrouble` shows an error. */
export class Record {
  constructor({ onjump, seen, ontrouble }) {
    this.onjump = onjump;
    this.seen = seen;
    this.ontrouble = ontrouble;
    this.chart = new GameChart((ply) => onjump(this.nodeOf(ply)));
    this.list = make("ol", { class: "line" });
    this.mistakeButton = make("button", { type: "button", text: "Next mistake", title: "Go to the next move that was not best", onclick: () => this.nextMistake() });
    this.sum = make("p", { class: "note", role: "status" });
    this.elements = [
      make("section", { class: "panel", "aria-labelledby": "game-chart" }, make("h2", { id: "game-chart", text: "Value over the game" }), this.chart.element,
        make("div", { class: "row-of buttons" }, this.mistakeButton), this.sum),
      make("section", { class: "panel", "aria-labelledby": "game-line" }, make("h2", { id: "game-line", text: "Line of play" }), this.list),
    ];
  }

  /** Shows a line, and asks for its review if there is none yet. */
  show(line) {
    this.line = line;
    if (this.review && this.review.text !== this.key) this.review = null;
    this.renderList();
    this.renderChart();
    this.askReview();
  }

  /** What a review depends on. */
  get key() {
    return `${this.line.variant.id} ${write(this.line.start)} ${this.line.text}`;
  }

  /** The node before a move, or the last one where the tile has not fallen. */
  nodeOf(ply) {
    const at = this.line.stateOf(ply);
    return at < 0 ? this.line.last : at;
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

  /** The grade of a move that was not best. */
  gradeOf(ply) {
    const reviewed = this.review?.moves[ply];
    return reviewed && !reviewed.is_best ? grade(reviewed, reviewed.before.value, this.line.variant.objective) : null;
  }

  async askReview() {
    const { line, key } = this;
    if (this.review?.text === key || this.reviewing === key) return;
    this.reviewing = key;
    const question = { variant: line.variant.id, start: write(line.start), moves: line.plies() };
    let review;
    try {
      const known = await solved(line.variant.id);
      if (this.reviewing !== key) return;
      // Searched games have no review; the values that were asked for are shown.
      review = known ? { text: key, ...await send("verdicts", question) } : { text: key, ...NONE };
    } catch (error) {
      review = { text: key, ...NONE };
      if (this.reviewing === key) this.ontrouble(error);
    }
    if (this.reviewing !== key) return;
    this.reviewing = null;
    this.review = review;
    this.show(this.line);
  }

  async renderChart() {
    const { line, review } = this;
    const { objective } = line.variant;
    const none = review?.none ?? false;
    const count = line.plies().length + 1;
    const points = none ? await this.searchedPoints(line, count) : this.exactPoints(count);
    if (line !== this.line || review !== this.review) return;
    this.chart.show(points, Math.min(line.node.ply, count - 1), about(objective).is_probability && !none ? 1 : null);
    const mistakes = review?.mistakes ?? [];
    this.mistakeButton.disabled = mistakes.length === 0;
    const lost = about(objective).is_probability ? chance(review?.loss ?? 0) : valueText({ value: review?.loss ?? 0 }, objective);
    this.sum.textContent = none ? "Points of the search, with those made so far."
      : count === 1 ? "Make moves to see how the value changes."
        : !review ? "" : mistakes.length === 0 ? "Every move was best."
          : `${mistakes.length} of ${count - 1} moves lost something, ${lost} in all.`;
  }

  exactPoints(count) {
    const { review } = this;
    return Array.from({ length: count }, (_, ply) => {
      const w = review?.moves[ply]?.before ?? (ply === count - 1 ? review : null);
      const g = this.gradeOf(ply);
      const y = w?.value ?? { won: 1, lost: 0 }[w?.category] ?? null;
      return { y, mark: g?.name, text: `move ${ply}, ${w ? valueText(w, this.line.variant.objective) : "unknown"}${g ? `, then ${g.word}` : ""}` };
    });
  }

  /** Points as searches saw them, where one has looked. */
  async searchedPoints(line, count) {
    const points = Array.from({ length: count }, (_, ply) => ({ y: null, text: `move ${ply}, not looked at` }));
    for (let ply = 0; line.stateOf(ply) >= 0; ply += 1) {
      const { board, score } = line.stateAt(ply);
      const answer = await this.seen(board);
      if (answer && answer.value !== null) points[ply] = { y: answer.value + score, text: `move ${ply}, ${valueText(answer, null)}` };
    }
    return points;
  }

  /** Goes to the position before the next mistake; after the last, to the first again. */
  nextMistake() {
    const mistakes = this.review?.mistakes ?? [];
    const next = mistakes.find((at) => at > this.line.node.ply) ?? mistakes[0];
    if (next !== undefined) this.onjump(this.line.stateOf(next));
  }
}
