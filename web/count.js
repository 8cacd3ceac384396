// Count: the layers of a game, live while they are counted or solved.
import { ask, cancel, follow, send } from "./backend.js";
import { layersChart, watchWidth } from "./chart.js";
import { field, make, segments, select, speak } from "./element.js";
import { about, chance, duration, valueText, whole } from "./numbers.js";
import { parseShape } from "./notation.js";
import { OBJECTIVES } from "./objectives.js";
import { forget, isAside } from "./ready.js";

/** The area in an element. */
export function mount(root) {
  return new Count(root);
}

const STATES = { waiting: "Waiting for other work", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled" };

class Count {
  constructor(root) {
    this.kind = segments("What to do", [["count", "Count"], ["solve", "Solve"]], "count", () => this.kinds());
    this.shape = make("input", { type: "text", value: "3x3", size: 6, autocomplete: "off" });
    const targets = Array.from({ length: 12 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]);
    this.to = select([["", "none"], ...targets], "128");
    this.objective = select(OBJECTIVES.map(({ name, title }) => [name, title]), "win");
    this.goal = field("Played for", this.objective);
    this.go = make("button", { class: "main", text: "Start" });
    this.stop = make("button", { type: "button", text: "Cancel", disabled: true, onclick: () => this.cancel() });
    this.scale = segments("Scale", [["linear", "Linear"], ["log", "Logarithmic"]], "linear", () => this.draw());
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.chart = make("div", { class: "figure" });
    this.state = make("p", { class: "state", role: "status", text: "Nothing runs." });
    this.bar = make("progress", { max: 1, value: 0, "aria-label": "How far it is" });
    this.facts = make("dl", { class: "facts" });
    this.more = make("p");
    this.jobs = make("ul", { class: "jobs" });
    this.kinds();
    root.append(make("h1", { text: "Count" }),
      make("p", { class: "note", text: "How many positions can arise, layer by layer: every slide keeps the sum of all tiles, and every new tile adds to it." }),
      make("form", { class: "row-of", onsubmit: (event) => this.start(event) }, this.kind.element, field("Shape", this.shape), field("To", this.to), this.goal, this.go, this.stop),
      this.wrong,
      make("div", { class: "two" },
        make("section", { class: "panel", "aria-labelledby": "layers" }, make("div", { class: "row-of apart" }, make("h2", { id: "layers", text: "States in each layer" }), this.scale.element), this.chart),
        make("section", { class: "panel", "aria-labelledby": "work" }, make("h2", { id: "work", text: "The work" }), this.state, this.bar, this.facts, this.more,
          make("h2", { text: "Before" }), this.jobs)));
    this.layers = [];
    this.draw();
    watchWidth(this.chart, (width) => {
      this.width = width;
      this.draw();
    });
  }

  show(asked) {
    if (asked.has("kind")) this.kind.value = asked.get("kind");
    if (asked.has("shape")) this.shape.value = asked.get("shape");
    if (asked.has("to")) this.to.value = asked.get("to");
    if (asked.has("objective")) this.objective.value = asked.get("objective");
    this.kinds();
    this.list().then((jobs) => {
      const open = jobs.find((job) => job.state === "running" || job.state === "waiting");
      if (!this.job && (open ?? jobs[0])) this.watch((open ?? jobs[0]).id);
    }).catch((error) => this.trouble(error));
  }

  kinds() {
    this.goal.hidden = this.kind.value === "count";
  }

  async start(event) {
    event.preventDefault();
    this.wrong.hidden = true;
    try {
      parseShape(this.shape.value);
      const solving = this.kind.value === "solve";
      const body = { kind: this.kind.value, shape: this.shape.value.trim() };
      if (this.to.value) body.to = Number(this.to.value);
      if (solving) body.objective = this.objective.value;
      const job = await send("jobs", body);
      history.replaceState(null, "", `#count?kind=${body.kind}&shape=${body.shape}${body.to ? `&to=${body.to}` : ""}${solving ? `&objective=${body.objective}` : ""}`);
      this.watch(job.id);
    } catch (error) {
      this.trouble(error);
    }
  }

  /** Shows a job from its beginning, and as it goes on. */
  watch(id) {
    this.job = id;
    this.layers = [];
    this.end?.();
    this.more.textContent = "";
    this.end = follow(`jobs/${id}/events`, {
      layers: ({ layers }) => {
        this.layers.push(...layers);
        this.later();
      },
      progress: (pace) => this.pace(pace),
      end: (job) => this.over(job),
      error: (error) => this.trouble(error),
    });
  }

  later() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null;
      this.draw();
    });
  }

  draw() {
    this.chart.replaceChildren(this.layers.length > 0
      ? layersChart(this.layers, this.scale.value === "log", this.width)
      : make("p", { class: "note", text: "They appear here as they are counted: start a count or a solve." }));
  }

  pace(pace) {
    const busy = pace.state === "running" || pace.state === "waiting";
    this.stop.disabled = !busy;
    const what = pace.state === "running" ? (pace.phase === "solve" ? "Solving backwards" : "Counting") : STATES[pace.state];
    if (this.state.textContent !== what) this.state.textContent = what;
    if (pace.total && busy) this.bar.value = Math.min(pace.done / pace.total, 1);
    else if (busy) this.bar.removeAttribute("value");
    else this.bar.value = pace.state === "done" ? 1 : 0;
    const facts = [["States so far", whole(pace.states)], ["Layers", whole(this.layers.length)], ["Time", duration(pace.seconds)]];
    if (pace.per_second && busy) facts.push([`${pace.unit === "boards" ? "Boards" : "States"} a second`, whole(pace.per_second)]);
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
    if (error) this.trouble(new Error(error));
    if (result) {
      const facts = [["States", whole(result.states)]];
      if (result.lost !== null) facts.push(["Lost states", whole(result.lost)]);
      facts.push(["Afterstates", whole(result.afterstates)], ["Layers", whole(job.layers.length)], ["Time", duration(job.seconds)]);
      if (result.start_value !== null) {
        facts.push(["Value of the start", about(job.objective).is_probability ? chance(result.start_value, result.start_complement ?? undefined) : valueText({ value: result.start_value }, job.objective)]);
      }
      this.showFacts(facts);
      if (result.table) forget(result.table);
      if (result.table) this.more.replaceChildren(make("a", { href: `#explore?variant=${result.table}`, text: `Explore ${job.variant}` }));
    }
    this.state.textContent = `${STATES[job.state]}: ${job.variant}`;
    speak(`${STATES[job.state]}: ${job.variant}`);
    this.list().catch(() => {});
  }

  async cancel() {
    try {
      await cancel(`jobs/${this.job}`);
    } catch (error) {
      this.trouble(error);
    }
  }

  /** Lists what was asked for here; gives that, and then what was done on the way. */
  async list() {
    const { jobs: all } = await ask("jobs");
    const jobs = all.filter((job) => !isAside(job));
    this.jobs.replaceChildren(...(jobs.length === 0 ? [make("li", { class: "note", text: "nothing yet" })] : jobs.slice(0, 12).map((job) => make("li", {},
      make("button", { type: "button", class: "quiet", onclick: () => this.watch(job.id) }, `${job.kind} ${job.variant}`), make("span", { class: "note", text: ` ${job.state}, ${whole(job.states)} states` })))));
    return [...jobs, ...all.filter(isAside)];
  }

  trouble(error) {
    this.wrong.textContent = error.message;
    this.wrong.hidden = false;
  }
}
