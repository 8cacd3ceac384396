// The review of a game: its accuracy, the chances over the game, every move's verdict, and the worst to try again.
import { curves } from "./curves.js";
import { make, speak } from "./element.js";
import { GameChart } from "./chart.js";
import { GameFiles } from "./games.js";
import { MoveList } from "./movelist.js";
import { ARROWS } from "./moves.js";
import { Line } from "./line.js";
import { parseVariant, parseBoard, write } from "./notation.js";
import { duration, grade, lost, whole } from "./numbers.js";
import { addNotes, byItself, hasNote, onnotes } from "./notes.js";
import { Practise } from "./practise.js";
import { Reviewer } from "./reviewer.js";
import { GRADES } from "./verdicts.js";

/** Games up to this number of moves are reviewed by themselves: searched ones, and solved ones. */
const SHORT = 60;
const SOLVED = 5000;
/** How long the game rests before that, in milliseconds. */
const REST = { searched: 1500, solved: 150 };
/** Mistakes of one game that are added to the notebook. */
const NOTED = 5;

/** Two elements: `element` with the summary, and `under` with chart and moves, which may stand below the board. */
export class Review {
  /** `onjump(at)` goes to a place of the line, `onopen(line, note)` opens another, `ontrouble` shows an error. */
  constructor({ onjump, onopen = () => {}, ontrouble }) {
    this.onjump = onjump;
    this.ontrouble = ontrouble;
    this.reviewer = new Reviewer({ onchange: () => this.changed(), ontrouble: (error) => this.refused(error) });
    this.practise = new Practise({ onopen: ({ variant, board }) => onopen(lineOf(variant, board)) });
    this.chart = new GameChart((ply) => this.goTo(ply));
    this.list = new MoveList((ply) => this.goTo(ply));
    this.files = new GameFiles({ onopen, ontrouble, current: () => this.line, active: () => this.element.isConnected && this.element.offsetParent !== null });
    this.build();
    onnotes(() => this.later());
  }

  build() {
    const button = (text, title, onclick, extra = {}) => make("button", { type: "button", text, title, onclick, ...extra });
    this.startButton = button("Review this game", "Every move gets a verdict", () => this.start(), { class: "main" });
    this.stopButton = button("Stop", "Stop the review; what is done stays", () => this.stop());
    this.last = button("‹ Mistake", "Previous mistake (P)", () => this.next(-1), { "aria-label": "Previous mistake" });
    this.following = button("Mistake ›", "Next mistake (N)", () => this.next(1), { "aria-label": "Next mistake" });
    this.bar = make("progress", { max: 1, value: 0, "aria-label": "Progress of the review" });
    this.pace = make("p", { class: "note pace", role: "status" });
    this.accuracy = make("p", { class: "accuracy" });
    this.tally = make("ul", { class: "tally" });
    this.worst = make("ol", { class: "worst" });
    this.worstBox = make("div", { class: "worst-box" }, make("h3", { text: "Worst moves" }), this.worst);
    this.chartTitle = make("h2", { id: "review-chart" });
    this.chartPanel = make("section", { class: "panel", "aria-labelledby": "review-chart", hidden: true }, this.chartTitle, this.chart.element);
    this.element = make("section", { class: "panel review", "aria-labelledby": "review-title" }, make("h2", { id: "review-title", text: "Review" }),
      make("div", { class: "scores" }, this.accuracy, this.tally),
      make("div", { class: "row-of buttons" }, this.startButton, this.stopButton, this.last, this.following), this.bar, this.pace, this.worstBox);
    this.under = make("div", { class: "review-under" }, this.chartPanel,
      make("section", { class: "panel", "aria-labelledby": "review-moves" }, make("h2", { id: "review-moves", text: "Move list" }), this.list.element,
        make("div", { class: "row-of buttons" }, this.files.buttons), this.files.element));
  }

  get verdicts() {
    return this.reviewer.verdicts;
  }

  /** Shows a line, whenever anything in it has changed. The drawing waits for the next frame. */
  show(line) {
    const before = this.verdicts.count;
    this.line = line;
    this.reviewer.show(line);
    if (this.verdicts.count !== before) this.stale = true;
    this.files.show(line);
    this.later();
    clearTimeout(this.timer);
    const small = line.variant.shape.rows * line.variant.shape.cols <= 12;
    if (line.length > 0 && line.length <= (small ? SOLVED : SHORT) && !this.reviewer.running && !this.reviewer.done && !this.failed) {
      this.timer = setTimeout(() => this.reviewer.start(), small ? REST.solved : REST.searched);
    }
    if (line.length !== this.failed?.length) this.failed = null;
  }

  start() {
    this.failed = null;
    this.pace.classList.remove("trouble");
    this.reviewer.start();
  }

  stop() {
    clearTimeout(this.timer);
    if (this.reviewer.running) this.reviewer.stop();
  }

  /** A review that fails says so here, and is not begun again by itself. */
  refused(error) {
    this.failed = { length: this.line.length, text: error.message };
    this.later();
  }

  changed() {
    this.stale = true;
    const { reviewer } = this;
    if (!reviewer.running && reviewer.done && this.line.length > 0) {
      if (byItself.on) this.note(this.verdicts.grave(NOTED));
      if (this.verdicts.accuracy !== null) speak(`Reviewed: accuracy ${percent(this.verdicts.accuracy)}`);
    }
    this.later();
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.line) this.render();
    });
  }

  /** To the position after so many moves. */
  goTo(ply) {
    const at = this.line.stateOf(ply);
    this.onjump(at < 0 ? this.line.last : at);
  }

  /** To the position before the next mistake, or the last with -1; around at the end. */
  next(by) {
    const mistakes = this.verdicts.mistakes();
    const { ply } = this.line.node;
    const found = by > 0 ? mistakes.find((at) => at > ply) ?? mistakes[0] : mistakes.findLast((at) => at < ply) ?? mistakes.at(-1);
    if (found === undefined) return;
    this.goTo(found);
    speak(`Move ${found + 1}: ${this.sentence(found)}`);
  }

  render() {
    const { line, reviewer, verdicts } = this;
    const { count } = verdicts;
    const total = reviewer.total;
    const { pace, running } = reviewer;
    this.startButton.hidden = running || (reviewer.done && count > 0);
    this.startButton.disabled = total === 0;
    this.startButton.textContent = count > 0 ? "Review the rest" : "Review this game";
    this.stopButton.hidden = this.bar.hidden = !running;
    this.bar.value = total > 0 ? count / total : 0;
    const speed = pace ? `, ${pace.rate < 10 ? pace.rate.toFixed(1) : whole(pace.rate)} a second, about ${duration(pace.left)} left` : "";
    this.pace.classList.toggle("trouble", Boolean(this.failed));
    this.pace.textContent = this.failed ? this.failed.text
      : running ? `${whole(count)} of ${whole(total)} moves${speed}`
        : total === 0 ? "Play, paste or open a game: every move gets a verdict." : count > 0 && count < total ? `${whole(count)} of ${whole(total)} moves are reviewed.`
          : count > 0 ? this.basis() : "";
    if (this.stale || (count > 0 && this.chart.data?.count !== total + 1)) this.renderVerdicts();
    this.chart.mark(line.node.ply);
    this.list.show(line, line.node.ply, (ply) => this.remark(ply));
    this.markWorst();
  }

  /** What has to be drawn anew when there are more verdicts, not at every step. */
  renderVerdicts() {
    this.stale = false;
    const { verdicts } = this;
    const { accuracy, count } = verdicts;
    this.accuracy.hidden = count === 0 || accuracy === null;
    this.accuracy.replaceChildren(make("strong", { text: percent(accuracy ?? 0) }), " accuracy");
    this.tally.hidden = count === 0;
    this.tally.replaceChildren(...verdicts.tally().flatMap((found, i) => {
      const g = grade({ grade: GRADES[i] }) ?? { sign: "", word: GRADES[i] };
      const sign = make("span", { class: "sign", text: g.sign, "aria-hidden": true });
      return found === 0 && i > 0 ? [] : [make("li", { "data-grade": GRADES[i] }, sign, make("strong", { text: whole(found) }), ` ${plural(g.word, found)}`)];
    }));
    const mistakes = verdicts.mistakes();
    this.last.disabled = this.following.disabled = mistakes.length === 0;
    const worst = verdicts.worst(5);
    this.worstBox.hidden = worst.length === 0;
    // Not under a finger that is about to press one of its buttons.
    const key = worst.map((ply) => `${ply} ${this.sentence(ply)}`).join();
    if (this.worst.dataset.key !== key) this.worst.replaceChildren(...worst.map((ply) => this.worstItem(ply)));
    this.worst.dataset.key = key;
    this.drawChart(mistakes);
  }

  worstItem(ply) {
    const text = `Move ${whole(ply + 1)}: ${this.sentence(ply)}`;
    return make("li", { "data-ply": ply, "data-grade": this.verdicts.grade(ply) }, make("button", { type: "button", class: "quiet", text, onclick: () => this.goTo(ply) }),
      make("div", { class: "row-of buttons" }, make("button", { type: "button", text: "Try again", onclick: () => this.practise.open([this.noteOf(ply)]) }),
        make("button", { type: "button", class: "add-note", text: "Add to notebook", onclick: () => this.note([ply]) })));
  }

  /** Which of the worst are in the notebook already, and which one looks at. */
  markWorst() {
    for (const item of this.worst.children) {
      const ply = Number(item.dataset.ply);
      const button = item.querySelector(".add-note");
      const noted = hasNote(this.noteOf(ply));
      button.disabled = noted;
      button.textContent = noted ? "In the notebook" : "Add to notebook";
      item.toggleAttribute("data-here", this.line.node.ply === ply);
    }
  }

  note(plies) {
    addNotes(plies.map((ply) => this.noteOf(ply)));
  }

  noteOf(ply) {
    const { loss, best, grade: name } = this.verdicts.move(ply);
    const { variant } = this.line;
    return {
      variant: variant.id, board: write(this.line.stateAt(ply).board), played: this.line.ply(ply).move,
      best, loss: Number.isNaN(loss) ? null : loss, lossText: this.lossText(ply), grade: name,
    };
  }

  lossText(ply) {
    const { answer } = this.verdicts;
    const text = lost(this.verdicts.losses[ply], answer.objective, answer.unit);
    return text && ["points", "moves"].includes(answer.unit) ? `${text} ${answer.unit}` : text;
  }

  /** "↑ up, mistake, −3.2 %; ← left was best". */
  sentence(ply) {
    const { best, grade: name } = this.verdicts.move(ply);
    const { move } = this.line.ply(ply);
    return `${ARROWS[move]} ${move}, ${grade({ grade: name })?.word ?? name} ${this.lossText(ply)}${best ? `; ${ARROWS[best]} ${best} was best` : ""}`;
  }

  remark(ply) {
    const name = this.verdicts.grade(ply);
    if (name === null) return null;
    const g = grade({ grade: name });
    return { grade: name, text: ["best", "about_equal"].includes(name) ? `${g.sign} ${g.word}` : `${g.sign} ${g.word} ${this.lossText(ply)}` };
  }

  basis() {
    const { exact, unit } = this.verdicts.answer;
    return exact ? "Exact: every move was compared with the solved game." : unit === null ? "Estimated by search; the numbers have no unit." : "Estimated by search.";
  }

  drawChart(mistakes) {
    this.chartPanel.hidden = this.verdicts.count === 0;
    if (this.verdicts.count === 0) return;
    const { title, ...data } = curves(this.verdicts, this.reviewer.total, (ply) => this.sentence(ply));
    this.chartTitle.textContent = title;
    this.chart.draw({ ...data, marks: mistakes.map((ply) => ({ ply, grade: this.verdicts.grade(ply) })) });
  }
}

const lineOf = (id, board) => {
  const variant = parseVariant(id);
  return new Line(variant, parseBoard(board, variant.shape));
};
const percent = (value) => `${value.toFixed(1)} %`;
const plural = (word, count) => (count === 1 || /^(?:best|about)/.test(word) ? word : word.replace(/y$/, "ie").replace(/loss$/, "losse").concat("s"));
