// What is said in place of a drill: how far its formation is solved, or what is wrong and what can be done.
import { cancel } from "./backend.js";
import { make } from "./element.js";
import { sentence } from "./judge.js";
import { progressText } from "./ready.js";

export class DrillNotice {
  constructor() {
    this.wrong = make("div", { class: "drill-wrong", role: "alert" });
    this.progress = make("progress", { max: 1, "aria-label": "Progress" });
    this.pace = make("p", { role: "status" });
    this.stop = make("button", { type: "button", text: "Cancel", hidden: true, onclick: () => cancel(`jobs/${this.job.id}`).catch((error) => this.trouble(error.message)) });
    this.busy = make("section", { class: "panel drill-busy", "aria-label": "Solving", hidden: true }, this.pace, this.progress, this.stop);
    this.elements = [this.wrong, this.busy];
  }

  clear() {
    this.busy.hidden = this.stop.hidden = true;
    this.wrong.replaceChildren();
  }

  /** How far the solution of a formation is. */
  wait(id, pace = null) {
    this.busy.hidden = false;
    this.pace.textContent = progressText(id, pace);
    if (pace?.total) this.progress.value = Math.min(pace.done / pace.total, 1);
    else this.progress.removeAttribute("value");
  }

  /** A job that can be cancelled. */
  offerCancel(job) {
    this.job = job;
    this.stop.hidden = false;
  }

  /** A formation cannot be opened; `onsolve` solves it where there is no table of it. */
  failed(error, { id, name, target }, onsolve) {
    if (error.status !== 404 || !onsolve) return this.trouble(error.message);
    const formation = /-formation-(\w+)/.exec(id)?.[1];
    const command = formation ? [" Or: ", make("code", { text: `tilebase solve ${name} --formation ${formation} --to ${2 ** target} --out tables/${formation}-${2 ** target}` }), ", then ",
      make("code", { text: "tilebase serve --tables tables" }), "."] : [];
    this.trouble(error.message, make("button", { type: "button", text: "Solve it now", onclick: onsolve }),
      make("p", { class: "note" }, "Choose another formation above, or solve this one, which may take minutes.", command));
  }

  trouble(text, ...more) {
    const says = sentence(text);
    this.wrong.replaceChildren(make("p", { class: "trouble", text: says.endsWith(".") ? says : `${says}.` }), ...more);
  }
}
