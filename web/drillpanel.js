// What is said beside a drill: the chance, the verdict on the last move, and a summary at the end.
import { make } from "./element.js";
import { ARROWS, mark, movesList } from "./moves.js";
import { chance, lost, valueText, whole } from "./numbers.js";
import { cellsOf, refusal } from "./walls.js";

/** Moves that the summary names. */
const WORST = 5;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"];

/** Panels of a drill; `onretry(at)` goes back to the board before a move, `onagain` and `ondeal` begin anew. */
export class DrillPanel {
  constructor({ onretry, onagain, ondeal }) {
    this.onretry = onretry;
    const button = (text, title, onclick, extra = {}) => make("button", { type: "button", text, title, onclick, ...extra });
    this.ending = make("p", { class: "end" });
    this.sum = make("p");
    this.worst = make("ol", { class: "worst" });
    this.worstBox = make("div", { class: "worst-box" }, make("h3", { text: "Worst moves" }), this.worst);
    this.again = button("Again", "The same start once more", onagain, { class: "main" });
    this.over = make("section", { class: "panel drill-over", "aria-labelledby": "drill-over", hidden: true }, make("h2", { id: "drill-over", text: "Summary" }), this.ending, this.sum,
      this.worstBox, make("div", { class: "row-of buttons" }, this.again, button("Another start", "A start by chance", ondeal)));
    this.number = make("span", { class: "number" });
    this.sure = make("span");
    this.facts = make("dl", { class: "facts" });
    this.state = make("section", { class: "panel drill-state", "aria-labelledby": "drill-now" },
      make("h2", { id: "drill-now", class: "headline" }, this.number, " ", this.sure, " ", make("span", { class: "says-what", text: "chance of success under best play from here" })), this.facts);
    this.moves = make("div", { class: "drill-moves" });
    this.last = make("section", { class: "panel drill-last", "aria-labelledby": "drill-last" }, make("h2", { id: "drill-last", text: "Your last move" }), this.moves);
    this.element = make("div", { class: "middle" }, this.over, this.state, this.last);
  }

  show(drill) {
    this.showState(drill);
    this.showLast(drill);
    this.showEnd(drill);
  }

  showState(drill) {
    const { end, first, forced, luck, plies, position, taken } = drill;
    this.state.hidden = !first;
    if (!first) return;
    const now = end ? { value: drill.value, category: end } : position;
    // The last number stays until the next one is there.
    if (now) {
      this.number.textContent = end ? chance(now.value) : valueText(now, "win", "probability");
      this.number.title = now.value;
      this.sure.replaceChildren(mark(now.category) ?? "");
    }
    const facts = [
      ["At the start", valueText(first, "win", "probability")],
      ["Given away by your moves", lost(drill.given, "win"), "the sum of what each move lost"],
      ["Luck with the tiles", luck === null ? "…" : signed(luck)],
      ["Best moves", `${whole(drill.right)} of ${whole(plies.length)}`, [[forced, "without a choice"], [taken, "taken back"]].filter(([n]) => n > 0).map(([n, what]) => `${whole(n)} ${what}`).join(", ")],
    ];
    this.facts.replaceChildren(...facts.map(([name, value, note]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }), note ? make("dd", { class: "note", text: note }) : null)));
  }

  /** The moves of the board before the last one. */
  showLast({ plies, variant }) {
    const ply = plies.at(-1);
    this.last.hidden = !ply;
    if (!ply || this.shown === ply) return;
    this.shown = ply;
    const list = movesList(ply.position, null, (name) => refused(ply.board, name, variant));
    const made = list.querySelector(`[data-move="${ply.move}"]`);
    made.dataset.made = "";
    made.querySelector(".name").append(make("span", { class: "unseen", text: ", your move" }));
    this.moves.replaceChildren(list);
  }

  showEnd(drill) {
    const { end, plies, variant } = drill;
    this.over.hidden = !end;
    if (!end) return;
    const moves = plies.length === 1 ? "1 move" : `${whole(plies.length)} moves`;
    this.ending.dataset.end = end;
    this.ending.textContent = end === "won" ? `${2 ** variant.target} made in ${moves}.` : `No slide is allowed any more, after ${moves}.`;
    this.sum.textContent = plies.length === 0 ? "" : drill.right === plies.length ? "Every move was the best."
      : `${whole(drill.right)} of ${moves} ${drill.right === 1 ? "was" : "were"} best; the others gave away ${chance(drill.given)} in all.`;
    const worst = drill.worst(WORST);
    this.worstBox.hidden = worst.length === 0;
    this.worst.replaceChildren(...worst.map((at) => this.worstItem(plies[at], at)));
  }

  worstItem({ move, made, best, graded }, at) {
    const text = `Move ${whole(at + 1)}: ${ARROWS[move]} ${move}, ${graded.word} ${lost(made.loss, "win")}; ${ARROWS[best.move]} ${best.move} was best`;
    return make("li", { "data-ply": at, "data-grade": graded.name }, make("span", { class: "worst-text", text }),
      make("div", { class: "row-of buttons" }, make("button", { type: "button", text: "Try again", "aria-label": `Try again from move ${at + 1}`, onclick: () => this.onretry(at) })));
  }
}

/** A difference of chances with its sign. */
const signed = (x) => (Math.abs(x) < 1e-12 ? "0" : `${x > 0 ? "+" : "−"}${chance(Math.abs(x))}`);

/** Why a move is missing in a list. */
const refused = (board, move, { target }) => (refusal(board, move, target) === "nothing would move" ? "not possible" : "not allowed");

/** What is to be done in a formation, by an answer about one of its positions. */
export function task({ walls, keep, goal_cells: goal }, { shape, target }) {
  const all = cellsOf(goal, shape).length === shape.rows * shape.cols;
  const masks = keep.map((mask) => cellsOf(mask, shape).length);
  const many = walls === 1 ? "wall" : `${NUMBERS[walls]} walls`;
  const stay = masks.length === 0 ? `The ${many} may be moved about`
    : masks.length === 1 && masks[0] === walls ? `The ${many} must stay where they are`
      : masks.length === 1 ? `${NUMBERS[masks[0]][0].toUpperCase()}${NUMBERS[masks[0]].slice(1)} of the ${many} must stay where they are` : `The ${many} must stay in formation`;
  const largest = all ? "" : `, and no tile may be larger than ${2 ** target}`;
  return `Make a${target === 3 ? "n" : ""} ${2 ** target} ${all ? "on any cell" : "on a marked cell"}. ${stay}${largest}.`;
}
