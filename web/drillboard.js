// The board of a drill: walls, goal cells, buttons to slide, and the verdict on the last move.
import { BoardView } from "./board.js";
import { isForced } from "./drill.js";
import { title } from "./drillchooser.js";
import { task } from "./drillpanel.js";
import { make } from "./element.js";
import { sentence } from "./judge.js";
import { ARROWS } from "./moves.js";
import { lost } from "./numbers.js";
import { MOVES } from "./rules.js";
import { cellsOf, refusal, WALL } from "./walls.js";

/** A board; `onmove` makes a slide, `onundo` takes one back, `onagain` and `ondeal` begin anew. */
export class DrillBoard {
  constructor({ onmove, onundo, onagain, ondeal }) {
    const button = (text, title, onclick) => make("button", { type: "button", text, title, onclick });
    this.view = new BoardView("Board", { swipe: onmove });
    this.pads = make("div", { class: "row-of buttons pads", role: "group", "aria-label": "Your move" }, MOVES.map((move) => make("button", {
      type: "button", "data-move": move, "aria-label": move, text: ARROWS[move], onclick: () => onmove(move),
    })));
    this.task = make("p", { class: "drill-task" });
    this.said = make("p", { class: "verdict", role: "status" });
    this.undo = button("↶ Take back", "Take the last move back (U)", onundo);
    this.element = make("div", { class: "top-left" }, this.task, this.view.element, this.said, this.pads,
      make("div", { class: "row-of buttons" }, this.undo, button("Again", "The same start once more", onagain), button("Another start", "A start by chance", ondeal)));
  }

  /** Another drill. */
  begin({ first, variant: { id, shape, target } }) {
    this.task.replaceChildren(make("strong", { text: `${title(id)}.` }), ` ${task(first, { shape, target })}`);
    const goals = cellsOf(first.goal_cells, shape);
    // Where every cell is one, none needs a mark.
    this.goals = goals.length === shape.rows * shape.cols ? [] : goals;
  }

  show({ board, end, plies, position }) {
    const ply = plies.at(-1);
    this.view.show(board, {
      wall: WALL, notes: Object.fromEntries(this.goals.map((cell) => [cell, "goal"])),
      fresh: ply?.cell ?? null, merged: ply?.slid.merged ?? [], slid: ply?.slid ?? null,
    });
    this.view.outline(this.goals);
    this.undo.disabled = plies.length === 0;
    const open = position?.moves.map(({ move }) => move) ?? MOVES;
    for (const pad of this.pads.children) pad.setAttribute("aria-disabled", String(end !== null || !open.includes(pad.dataset.move)));
    if (ply) this.judge(ply, end, board.cols);
    else this.say(end === "won" ? "The tile is there already." : end ? "No slide is allowed here." : "Your move.");
  }

  /** The verdict on the last move. */
  judge(ply, end, cols) {
    const { move, right, made, graded, cell, tile } = ply;
    const text = isForced(ply) ? `${sentence(move)} was the only move.` : ply.text;
    const loss = right ? "" : ` ${lost(made.loss, "win")}.`;
    const after = end === "won" ? "Won." : end ? "Lost." : `A ${tile} fell in row ${Math.floor(cell / cols) + 1}, column ${(cell % cols) + 1}.`;
    this.say(`${right ? "✓" : "✕"} ${text}${loss}`, { grade: graded.name, right: String(right) }, ` ${after}`);
  }

  /** A slide that the formation or the board does not have. */
  refuse(move, { board, variant: { target } }) {
    const why = refusal(board, move, target);
    this.say(`${sentence(move)} is not ${why === "nothing would move" ? "possible" : "allowed"}: ${why}.`, { refused: "" });
  }

  /** Says something below the board; `more` only to those who listen. */
  say(text, marks = {}, more = "") {
    for (const name of Object.keys(this.said.dataset)) delete this.said.dataset[name];
    Object.assign(this.said.dataset, marks);
    if (this.said.textContent !== text + more) this.said.replaceChildren(text, more ? make("span", { class: "unseen", text: more }) : "");
  }
}
