// The panel about a position: its headline, its moves, its formations, and what can spawn.
import { make, speak } from "./element.js";
import { Formations } from "./formations.js";
import { movesList } from "./moves.js";
import { meaning, unitOf, valueText } from "./numbers.js";
import { parseBoard, words } from "./notation.js";
import { headline } from "./outlook.js";
import { progressText, ready } from "./ready.js";
import { spawnTable } from "./spawns.js";

/** Until an answer takes this long, the last one stays. */
const PATIENCE = 250;
/** How soon a server that is away is asked again. */
const AGAIN = 2000;

/** A panel; `onmove` makes a move, `onspawn(move, cell, tile)` a move with its tile, `onposition` gets every answer,
 * `onwalls(board, cells)` marks cells. */
export class PositionPanel {
  constructor(answers, { onmove, onspawn, onposition, onwalls }) {
    Object.assign(this, { answers, onmove, onspawn, onposition });
    this.formations = new Formations(onwalls);
    this.turn = 0;
    /** Formations that were solved, or could not be. */
    this.tried = new Set();
    this.walled = make("div", { class: "walled" });
    this.solving = make("p", { class: "note solving" });
    // A quick estimate gives way to a better one.
    answers.onbetter = () => this.isQuick && this.show(this.line);
    this.body = make("div", { class: "position-body" });
    this.spawnBody = make("div", { class: "spawn-body" });
    this.spawns = make("details", { class: "spawns", ontoggle: () => this.showSpawns() }, make("summary", { text: "What can spawn" }), this.spawnBody);
    this.element = make("section", { class: "panel position", "aria-labelledby": "position" }, this.body, this.spawns);
  }

  /** Shows the position of a line, after a pause for those who play on at once. */
  async show(line, { pause = 0, hidden = false } = {}) {
    const mine = ++this.turn;
    const { board, variant, waits } = line;
    this.line = line;
    this.of = waits ? { board, move: null } : null;
    this.spawns.hidden = hidden;
    this.busy = true;
    this.isQuick = false;
    if (hidden || waits) {
      if (hidden) return this.fill("Values are hidden", "H or the button under the board shows them.");
      this.fill("Place the new tile", "Choose 2 or 4 under the board, then an empty cell.");
    }
    if (!analysed(variant)) {
      this.spawns.hidden = true;
      return this.fill("No values for this board", "Boards of up to 4x4 cells are analysed. Larger ones can be played.");
    }
    if (waits) return this.showSpawns();
    const began = performance.now();
    const waiting = setInterval(() => (mine === this.turn ? this.pending(performance.now() - began) : clearInterval(waiting)), PATIENCE);
    try {
      if (pause > 0) await new Promise((resolve) => { setTimeout(resolve, pause); });
      if (mine !== this.turn) return;
      const position = await this.answers.position(variant, board);
      if (mine === this.turn) this.answer(position, variant);
    } catch (error) {
      if (mine === this.turn) this.failed(error, () => mine === this.turn && this.show(line));
    } finally {
      clearInterval(waiting);
    }
  }

  /** Whether what is shown is of another position. */
  set busy(is) {
    this.body.classList.toggle("stale", is);
  }

  /** Lets a position go by. What is known of one shortly before it is shown without its moves. */
  skip(position, variant) {
    this.turn += 1;
    this.spawns.hidden = true;
    if (!position) this.busy = true;
    else if (position !== this.glimpsed) this.body.replaceChildren(...headline(position, variant));
    this.glimpsed = position;
    this.isQuick = false;
  }

  /** Shows an answer that is there already. */
  answer(position, variant) {
    const { moves } = position;
    this.isQuick = position.search?.quick ?? false;
    this.body.replaceChildren(...headline(position, variant), ...(moves.length > 0 ? [movesList(position, this.onmove)] : []),
      this.walled, this.solving, this.offer(position, variant));
    this.showFormations(position);
    this.busy = false;
    this.of = moves.length > 0 ? { board: parseBoard(moves[0].afterstate, variant.shape), move: moves[0].move } : null;
    this.spawns.hidden = !this.of;
    this.showSpawns();
    this.onposition(position);
    const best = moves.filter((m) => m.is_best).map((m) => m.move).join(", ");
    speak(`${valueText(position, position.objective, unitOf(position))}. ${best ? `Best: ${best}` : position.status}`);
  }

  /** Shows the formations that a position fits. One that is not solved yet is, once, which takes seconds. */
  async showFormations(position) {
    const [mine, { board, variant }] = [this.turn, this.line];
    this.walled.replaceChildren(...this.formations.of(position, board));
    const id = position.formations_on_demand?.find((one) => !this.tried.has(one));
    if (!id) return this.solving.replaceChildren();
    const say = (pace) => mine === this.turn && this.solving.replaceChildren(progressText(id, pace));
    say(null);
    await ready(id, say);
    if (!this.tried.has(id)) this.answers.forget();
    this.tried.add(id);
    if (mine !== this.turn) return;
    // Whatever went wrong with a formation, the position itself is there.
    const again = await this.answers.position(variant, board).catch(() => ({ ...position, formations_on_demand: [] }));
    if (mine === this.turn) this.showFormations(again);
  }

  fill(title, text) {
    this.busy = false;
    this.body.replaceChildren(make("h2", { id: "position", text: title }), make("p", { class: "note", text }));
  }

  /** Shown while there is no answer yet. */
  pending(ms) {
    const { pace } = this.answers;
    if (ms < 2 * PATIENCE && !pace) return;
    const bar = make("progress", { max: 1, "aria-label": "Progress" });
    if (pace?.total) bar.value = Math.min(pace.done / pace.total, 1);
    this.busy = false;
    this.body.replaceChildren(make("h2", { id: "position", text: pace ? progressText(this.line.variant.id, pace) : "Thinking …" }), bar,
      make("p", { class: "note", text: `${(ms / 1000).toFixed(1)} s so far.` }));
  }

  /** No answer: what is wrong, and another try where only the server is away. */
  failed(error, again) {
    this.busy = false;
    this.body.replaceChildren(make("h2", { id: "position", text: "No answer" }), make("p", { class: "trouble", role: "alert", text: error.message }));
    this.spawns.hidden = true;
    if (error.status === 0 || error.status >= 500) setTimeout(again, AGAIN);
  }

  /** Where a game that is not solved yet can be. */
  offer({ exact, moves }, variant) {
    if (exact || moves.length === 0 || variant.target === null || variant.shape.rows * variant.shape.cols > 12) return "";
    const to = `#count?kind=solve&shape=${variant.name}&to=${2 ** variant.target}&objective=${variant.objective}`;
    return make("p", { class: "note" }, make("a", { href: to, text: `Solve ${words(variant.id)}` }), " in the Lab for exact values.");
  }

  /** The table of spawns, if it is unfolded. */
  async showSpawns() {
    if (!this.spawns.open || !this.of) return this.spawnBody.replaceChildren();
    const [mine, { board, move }, { variant }] = [this.turn, this.of, this.line];
    try {
      const { outcomes, objective, exact } = await this.answers.spawns(variant, board);
      if (mine !== this.turn) return;
      const says = `${move ? `After ${move}. ` : ""}${exact ? `Exact: ${meaning(objective)}.` : "Estimate: searched one slide deep."}`;
      const table = spawnTable(outcomes, variant.shape, objective, (cell, tile) => this.onspawn(move, cell, tile));
      this.spawnBody.replaceChildren(make("p", { class: "note", text: says }), table);
    } catch (error) {
      if (mine === this.turn) this.spawnBody.replaceChildren(make("p", { class: "trouble", role: "alert", text: error.message }));
    }
  }
}

/** Whether boards of a game are small enough to be searched. */
export const analysed = ({ shape }) => shape.rows <= 4 && shape.cols <= 4;
