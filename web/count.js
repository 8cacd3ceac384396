// Count: the layers of a game, live while they are counted or solved.
import { addressOf, keep, Link } from "./address.js";
import { ask, cancel, follow, send } from "./backend.js";
import { download } from "./download.js";
import { field, make, segments, select, speak } from "./element.js";
import { LayersChart } from "./layers.js";
import { parseShape, words } from "./notation.js";
import { about, chance, duration, valueText, whole } from "./numbers.js";
import { OBJECTIVES } from "./objectives.js";
import { forget, isAside } from "./ready.js";

/** The area in an element. */
export function mount(root) {
  return new Count(root);
}

const STATES = { waiting: "Waiting for other work", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled" };
const KINDS = { count: "Count", solve: "Solve" };
const isOpen = ({ state }) => state === "running" || state === "waiting";
/** A job's game in words, with what it is solved for. */
const gameOf = (job) => words(job.objective ? `${job.variant}-${job.objective}` : job.variant);

class Count {
  constructor(root) {
    this.kind = segments("What to do", Object.entries(KINDS), "count", () => this.changed());
    this.shape = make("input", { type: "text", value: "3x3", size: 6, autocomplete: "off", onchange: () => this.changed() });
    const targets = Array.from({ length: 12 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]);
    this.to = select([["", "none"], ...targets], "128", () => this.changed());
    this.objective = select(OBJECTIVES.map(({ name, title }) => [name, title]), "win", () => this.changed());
    this.goal = field("Goal", this.objective);
    this.go = make("button", { class: "main", text: "Start" });
    this.stop = make("button", { type: "button", text: "Cancel", disabled: true, onclick: () => this.cancel() });
    this.scale = segments("Scale", [["linear", "Linear"], ["log", "Logarithmic"]], "linear", () => {
      this.draw();
      this.keep();
    });
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.chart = new LayersChart("The layers appear here while they are counted.");
    const save = (text, label, onclick) => make("button", { type: "button", text, title: label, disabled: true, onclick });
    this.saves = [
      save("CSV", "Save the numbers as a CSV file", () => download(`${this.name}-layers.csv`, "text/csv", this.chart.csv)),
      save("SVG", "Save the chart as an SVG file", () => download(`${this.name}-layers.svg`, "image/svg+xml", this.chart.svg(`Positions in each layer of ${this.name}`))),
    ];
    this.state = make("p", { class: "state", role: "status", text: "Idle" });
    this.bar = make("progress", { max: 1, value: 0, "aria-label": "Progress" });
    this.facts = make("dl", { class: "facts" });
    this.more = make("p");
    this.jobs = make("ul", { class: "jobs" });
    root.append(make("h1", { text: "Count" }),
      make("p", { class: "note", text: "How many positions can arise. Slides keep the sum of all tiles and every new tile adds to it, so positions come in layers of the same sum." }),
      make("form", { class: "row-of", onsubmit: (event) => this.start(event) }, this.kind.element, field("Board size", this.shape), field("Target tile", this.to), this.goal, this.go, this.stop),
      this.wrong,
      make("div", { class: "two" },
        make("section", { class: "panel", "aria-labelledby": "layers" },
          make("div", { class: "row-of apart" }, make("h2", { id: "layers", text: "Positions in each layer" }), this.scale.element),
          this.chart.element, make("div", { class: "row-of buttons saves" }, make("span", { class: "note", text: "Download" }), this.saves)),
        make("section", { class: "panel", "aria-labelledby": "work" }, make("h2", { id: "work", text: "Progress" }), this.state, this.bar, this.facts, this.more,
          make("h2", { text: "Earlier" }), this.jobs)));
    this.layers = [];
    this.showGoal();
  }

  show(asked) {
    this.complain("");
    const isNew = [...asked.keys()].length > 0;
    if (isNew) this.read(asked);
    else this.keep();
    this.list().then((jobs) => {
      if (isNew && asked.has("run")) this.resume(jobs);
      else if (!isNew && !this.job) this.watch(jobs.find(isOpen) ?? jobs[0]);
    }).catch((error) => this.complain(error.message));
  }

  /** What a link asks for. */
  read(asked) {
    const link = new Link(asked, ["kind", "shape", "to", "objective", "scale", "run"]);
    this.kind.value = link.choice("kind", Object.keys(KINDS), "count");
    this.shape.value = link.shape("shape", "3x3");
    const to = link.target("to", "");
    if (![...this.to.options].some((option) => option.value === to)) this.to.append(make("option", { value: to, text: to }));
    this.to.value = to;
    this.objective.value = link.choice("objective", OBJECTIVES.map(({ name }) => name), "win");
    this.scale.value = link.choice("scale", ["linear", "log"], "linear");
    this.showGoal();
    this.complain(link.complaint);
    this.draw();
    if (!asked.has("run")) this.watch(null);
  }

  showGoal() {
    this.goal.hidden = this.kind.value === "count";
  }

  /** Another game is chosen, and not begun yet: the address stays with what is shown. */
  changed() {
    this.showGoal();
    if (!this.job) this.keep();
  }

  /** What is chosen, as a job and as a link. */
  get asked() {
    const solving = this.kind.value === "solve";
    return {
      kind: this.kind.value, shape: this.shape.value.trim(), to: this.to.value, objective: solving ? this.objective.value : "",
      scale: this.scale.value === "log" ? "log" : "",
    };
  }

  keep(step = false) {
    const { kind, shape, to, objective } = this.job ?? this.asked;
    keep("count", { kind, shape, to, objective, scale: this.asked.scale, run: this.job ? "yes" : "" }, { step });
  }

  start(event) {
    event.preventDefault();
    this.begin(true);
  }

  async begin(step) {
    this.complain("");
    try {
      const { kind, shape, to, objective } = this.asked;
      parseShape(shape);
      const job = await send("jobs", { kind, shape, to: to ? Number(to) : undefined, objective: objective || undefined });
      this.watch(job);
      this.keep(step);
    } catch (error) {
      this.complain(error.message);
    }
  }

  /** Shows what a link was made of: the job if it is still known, else a new one. */
  resume(jobs) {
    const { kind, shape, to, objective } = this.asked;
    const same = (job) => job.kind === kind && job.shape === shape && String(job.to ?? "") === to && (job.objective ?? "") === objective;
    if (this.job && same(this.job)) return;
    const known = jobs.find((job) => same(job) && job.state !== "failed");
    if (known) this.watch(known);
    else if (this.wrong.hidden) this.begin(false);
  }

  /** A job that is chosen in the list. */
  open(job) {
    this.kind.value = job.kind;
    this.shape.value = job.shape;
    this.to.value = String(job.to ?? "");
    if (job.objective) this.objective.value = job.objective;
    this.showGoal();
    this.watch(job);
    this.keep(true);
  }

  /** Shows a job from its beginning, and as it goes on; or none. */
  watch(job) {
    this.end?.();
    this.job = job ?? null;
    this.layers = [];
    this.draw();
    this.showFacts([]);
    this.more.replaceChildren();
    this.stop.disabled = true;
    this.bar.value = 0;
    this.state.textContent = "Idle";
    if (!job) return;
    this.end = follow(job, {
      layers: ({ layers }) => {
        this.layers.push(...layers);
        this.later();
      },
      progress: (pace) => this.pace(pace),
      end: (done) => this.over(done),
      error: (error) => this.complain(error.message),
      again: () => { this.layers = []; },
      lost: () => this.lost(),
    });
  }

  get name() {
    return this.job?.variant ?? "layers";
  }

  later() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null;
      this.draw();
    });
  }

  draw() {
    this.chart.show(this.layers, this.scale.value === "log");
    for (const button of this.saves) button.disabled = this.layers.length === 0;
  }

  pace(pace) {
    const busy = isOpen(pace);
    this.stop.disabled = !busy;
    const what = pace.state === "running" ? (pace.phase === "solve" ? "Solving backwards" : "Counting") : STATES[pace.state];
    if (this.state.textContent !== what) this.state.textContent = what;
    if (pace.total && busy) this.bar.value = Math.min(pace.done / pace.total, 1);
    else if (busy) this.bar.removeAttribute("value");
    else this.bar.value = pace.state === "done" ? 1 : 0;
    const facts = [["Positions so far", whole(pace.states)], ["Layers", whole(this.layers.length)], ["Time", duration(pace.seconds)]];
    if (pace.per_second && busy) facts.push([`${pace.unit === "boards" ? "Boards" : "Positions"} a second`, whole(pace.per_second)]);
    if (busy) facts.push(["Time left", pace.seconds_left === null ? "not known yet" : duration(pace.seconds_left)]);
    this.showFacts(facts);
  }

  showFacts(facts) {
    this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
  }

  over(job) {
    this.layers = job.layers;
    this.draw();
    this.pace(job);
    const { result, error } = job;
    if (error) this.complain(error);
    if (result) {
      const facts = [["Positions", whole(result.states)]];
      if (result.lost !== null) facts.push(["Lost positions", whole(result.lost)]);
      facts.push(["Boards after a slide", whole(result.afterstates)], ["Layers", whole(job.layers.length)], ["Time", duration(job.seconds)]);
      if (result.start_value !== null) {
        facts.push(["Value of the start", about(job.objective).is_probability ? chance(result.start_value, result.start_complement ?? undefined) : valueText({ value: result.start_value }, job.objective)]);
      }
      this.showFacts(facts);
      if (result.table) {
        forget(result.table);
        this.more.replaceChildren(make("a", { href: addressOf("analyse", { variant: result.table }), text: `Analyse ${gameOf(job)}` }));
      }
    }
    this.state.textContent = `${STATES[job.state]}: ${gameOf(job)}`;
    speak(this.state.textContent);
    this.list().catch(() => {});
  }

  /** The server was started anew and knows nothing of the job. */
  lost() {
    const { job } = this;
    this.stop.disabled = true;
    this.bar.value = 0;
    this.state.textContent = `${gameOf(job)} was lost when the server stopped.`;
    this.more.replaceChildren(make("button", { type: "button", text: "Start again", onclick: () => this.begin(false) }));
    this.list().catch(() => {});
  }

  async cancel() {
    try {
      await cancel(`jobs/${this.job.id}`);
    } catch (error) {
      this.complain(error.message);
    }
  }

  /** Lists what was asked for here; gives that, and then what was done on the way. */
  async list() {
    const { jobs: all } = await ask("jobs");
    const jobs = all.filter((job) => !isAside(job));
    this.jobs.replaceChildren(...(jobs.length === 0 ? [make("li", { class: "note", text: "Nothing yet" })] : jobs.slice(0, 12).map((job) => make("li", {},
      make("button", { type: "button", class: "quiet", onclick: () => this.open(job) }, `${KINDS[job.kind]} ${gameOf(job)}`),
      make("span", { class: "note", text: ` ${STATES[job.state].toLowerCase()}, ${whole(job.states)} positions` })))));
    return [...jobs, ...all.filter(isAside)];
  }

  complain(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = text === "";
  }
}
