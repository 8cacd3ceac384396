// A plan: a short sequence of slides to a tile when spawns are known, played back.
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { field, make, select } from "./element.js";
import { parseBoard, parseShape } from "./notation.js";
import { whole } from "./numbers.js";
import { ARROWS } from "./moves.js";
import { Playback } from "./playback.js";
import { seedOf, slide } from "./rules.js";

const LETTERS = { L: "left", R: "right", U: "up", D: "down" };

/** The area in an element. */
export function mount(root) {
  const plan = new PlanView();
  root.append(make("h1", { text: "Plan" }), plan.element);
  return { show: (asked) => plan.show(asked), hide: () => plan.playback.pause() };
}

class PlanView {
  constructor() {
    this.shape = make("input", { type: "text", value: "4x4", size: 6, autocomplete: "off" });
    this.to = select(Array.from({ length: 10 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]), "64");
    this.rule = select([["first", "into the first empty cell"], ["best", "where I want them"], ["random", "by dice"], ["worst", "where they hurt most"]], "first", () => this.rules());
    this.seed = make("input", { type: "text", inputmode: "numeric", value: "0", size: 6 });
    this.seedField = field("Seed", this.seed);
    this.form = make("form", { class: "row-of", onsubmit: (event) => { event.preventDefault(); this.find(); } },
      field("Shape", this.shape), field("To", this.to), field("Tiles fall", this.rule), this.seedField, make("button", { class: "main", text: "Find a plan" }));
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.view = new BoardView("Board of the plan");
    this.playback = new Playback((at) => this.look(at), { label: "Slide" });
    this.facts = make("dl", { class: "facts" });
    this.says = make("p", { role: "status" });
    this.now = make("p", { class: "note" });
    this.element = make("div", { class: "pane" }, this.form, this.wrong, make("div", { class: "bench" },
      make("div", { class: "left" }, this.view.element, this.now, this.playback.element),
      make("div", { class: "middle" }, make("section", { class: "panel", "aria-labelledby": "plan-facts" }, make("h2", { id: "plan-facts", text: "The plan" }), this.says, this.facts))));
    this.rules();
  }

  show() {
    if (!this.plan) this.find();
  }

  rules() {
    this.seedField.hidden = this.rule.value !== "random";
  }

  async find() {
    const mine = (this.asking = {});
    this.wrong.hidden = true;
    this.says.textContent = "Searching …";
    try {
      const shape = parseShape(this.shape.value);
      const plan = await ask("plan", { shape: this.shape.value.trim(), to: this.to.value, spawn_rule: this.rule.value, seed: this.rule.value === "random" ? seedOf(this.seed.value) : "" });
      if (mine !== this.asking) return;
      if (!plan.boards) throw new Error(`the plan has ${whole(plan.moves.length)} slides, too many to be shown here`);
      this.plan = { ...plan, shape };
      this.says.textContent = plan.reached ? `The ${plan.to} after ${whole(plan.steps)} slides${plan.optimal ? "; no plan is shorter" : ""}.`
        : plan.end === "exhausted" ? `There is no way to the ${plan.to}.` : "No plan was found within the limits; this is how far it came.";
      const facts = [["Slides", whole(plan.moves.length)], ["At least", whole(plan.lower_bound)], ["Positions expanded", whole(plan.expanded)], ["New tiles", { "2:1": "2s alone", "4:1": "4s alone" }[plan.spawn] ?? plan.spawn]];
      this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
      this.playback.load(plan.boards.length);
    } catch (error) {
      if (mine !== this.asking) return;
      this.says.textContent = "";
      this.wrong.textContent = error.message;
      this.wrong.hidden = false;
    }
  }

  look(at) {
    const { plan } = this;
    if (!plan) return;
    const spawn = at > 0 ? plan.spawns[at - 1] : null;
    const move = at > 0 ? LETTERS[plan.moves[at - 1]] : null;
    const before = at > 0 ? parseBoard(plan.boards[at - 1], plan.shape) : null;
    const slid = move ? { before, ...slide(before, move) } : null;
    this.view.show(parseBoard(plan.boards[at], plan.shape), { fresh: spawn?.cell ?? null, merged: slid?.merged, slid });
    this.now.textContent = move ? `Slide ${at} of ${plan.moves.length}: ${ARROWS[move]} ${move}` : `Start, ${plan.moves.length} slides to go`;
  }
}
