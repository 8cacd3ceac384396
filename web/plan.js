// Plan: a short sequence of slides to a tile when it is known where new tiles appear, played back.
import { addressOf, keep, keepSoon, Link } from "./address.js";
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { field, make, select } from "./element.js";
import { parseBoard, parseShape, write } from "./notation.js";
import { whole } from "./numbers.js";
import { ARROWS } from "./moves.js";
import { Playback } from "./playback.js";
import { put, seedOf, slide } from "./rules.js";

const LETTERS = { L: "left", R: "right", U: "up", D: "down" };
const RULES = { first: "in the first empty cell", best: "where I want them", random: "at random", worst: "where they hurt most" };
const TILES = Array.from({ length: 10 }, (_, i) => String(2 ** (i + 3)));

/** The area in an element. */
export function mount(root) {
  return new Plan(root);
}

class Plan {
  constructor(root) {
    this.shape = make("input", { type: "text", value: "4x4", size: 6, autocomplete: "off" });
    this.to = select(TILES.map((tile) => [tile, tile]), "64");
    this.rule = select(Object.entries(RULES), "first", () => this.rules());
    this.seed = make("input", { type: "text", inputmode: "numeric", value: "0", size: 6 });
    this.seedField = field("Seed", this.seed);
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.view = new BoardView("Board of the plan");
    this.playback = new Playback((at) => this.look(at), { label: "Slide" });
    this.facts = make("dl", { class: "facts" });
    this.says = make("p", { role: "status" });
    this.now = make("p", { class: "note" });
    this.analyse = make("a", { text: "Analyse this position" });
    this.bench = make("div", { class: "bench", hidden: true },
      make("div", { class: "left" }, this.view.element, this.now, this.playback.element),
      make("div", { class: "middle" }, make("section", { class: "panel", "aria-labelledby": "plan-facts" }, make("h2", { id: "plan-facts", text: "The plan" }), this.says, this.facts, this.analyse)));
    root.append(make("h1", { text: "Plan" }),
      make("p", { class: "note", text: "How few slides make a tile if you know where every new tile appears? All new tiles are 2s." }),
      make("form", { class: "row-of", onsubmit: (event) => { event.preventDefault(); this.find(0, true); } },
        field("Board size", this.shape), field("Target tile", this.to), field("New tiles appear", this.rule), this.seedField, make("button", { class: "main", text: "Find a plan" })),
      this.wrong, this.bench);
    this.rules();
  }

  show(asked) {
    this.active = true;
    this.complain("");
    if ([...asked.keys()].length > 0) this.read(asked);
    else if (!this.plan) this.find(0, false);
    else this.keep(false);
  }

  hide() {
    this.active = false;
    this.playback.pause();
  }

  read(asked) {
    const link = new Link(asked, ["shape", "to", "tiles", "seed", "at", "show"]);
    this.shape.value = link.shape("shape", "4x4");
    const to = link.target("to", "64");
    if (!TILES.includes(to)) this.to.append(make("option", { value: to, text: to }));
    this.to.value = to;
    this.rule.value = link.choice("tiles", Object.keys(RULES), "first");
    this.seed.value = link.read("seed", "0", seedOf);
    const at = link.number("at", 0);
    this.rules();
    this.complain(link.complaint);
    if (this.plan && this.question === this.asks()) this.playback.go(at);
    else this.find(at, false);
  }

  rules() {
    this.seedField.hidden = this.rule.value !== "random";
  }

  /** What is chosen, as the address has it. */
  get asked() {
    return { shape: this.shape.value.trim(), to: this.to.value, tiles: this.rule.value, seed: this.rule.value === "random" ? this.seed.value.trim() : "" };
  }

  asks() {
    return JSON.stringify(this.asked);
  }

  keep(step) {
    keep("plan", { ...this.shown, at: this.playback.at || "" }, { step });
  }

  /** Finds the plan that is chosen; `step` makes it a step that Back undoes. */
  async find(at, step) {
    const mine = (this.asking = {});
    if (step) this.complain("");
    this.playback.pause();
    this.bench.hidden = false;
    this.says.textContent = "Searching…";
    const { asked } = this;
    try {
      const shape = parseShape(asked.shape);
      if (asked.seed) seedOf(asked.seed);
      const question = this.asks();
      const plan = await ask("plan", { shape: asked.shape, to: asked.to, spawn_rule: asked.tiles, seed: asked.seed });
      if (mine !== this.asking) return;
      this.plan = plan;
      this.question = question;
      this.shown = asked;
      this.boards = boardsOf(plan, shape);
      this.tell(plan);
      // By now another area may be shown, with its own address.
      if (step && this.active) keep("plan", asked, { step });
      this.playback.load(this.boards.length, at);
    } catch (error) {
      if (mine !== this.asking) return;
      this.says.textContent = "";
      this.bench.hidden = !this.plan;
      if (this.plan) this.tell(this.plan);
      this.complain(error.message);
    }
  }

  tell(plan) {
    this.says.textContent = plan.reached ? `${plan.to} after ${whole(plan.steps)} slides${plan.optimal ? "; no plan is shorter" : ""}.`
      : plan.end === "exhausted" ? `There is no way to ${plan.to}.` : "No plan was found within the limits of time and memory; this is how far it came.";
    const tiles = { "2:1": "2s only", "4:1": "4s only" }[plan.spawn] ?? plan.spawn;
    const facts = [["Slides", whole(plan.moves.length)], ["At least needed", whole(plan.lower_bound)], ["Positions tried", whole(plan.expanded)], ["New tiles", tiles]];
    this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
  }

  look(at) {
    const { plan, boards } = this;
    if (!plan) return;
    const move = at > 0 ? LETTERS[plan.moves[at - 1]] : null;
    const slid = move ? { before: boards[at - 1], ...slide(boards[at - 1], move) } : null;
    this.view.show(boards[at], { fresh: at > 0 ? plan.spawns[at - 1]?.cell ?? null : null, merged: slid?.merged, slid });
    this.now.textContent = move ? `Slide ${at} of ${plan.moves.length}: ${ARROWS[move]} ${move}` : `Start, ${plan.moves.length} slides to go`;
    this.analyse.href = addressOf("analyse", { variant: plan.shape, start: write(boards[at]) });
    keepSoon("plan", { ...this.shown, at: at || "" });
  }

  complain(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = text === "";
  }
}

/** Every board of a plan, with the new tile on it. */
function boardsOf({ start, moves, spawns }, shape) {
  const boards = [parseBoard(start, shape)];
  [...moves].forEach((letter, i) => {
    const { board } = slide(boards[i], LETTERS[letter]);
    const spawn = spawns[i];
    boards.push(spawn ? put(board, spawn.cell, Math.log2(spawn.tile)) : board);
  });
  return boards;
}
