// Prove and plan: a contest against a proven strategy, and a plan played back.
import { make, segments } from "./element.js";
import { ContestView } from "./strategy.js";
import { PlanView } from "./plan.js";

/** The area in an element. */
export function mount(root) {
  const contest = new ContestView();
  const plan = new PlanView();
  const panes = { contest, plan };
  const which = segments("Show", [["contest", "Slider against Dropper"], ["plan", "A plan"]], "contest", () => choose());
  const choose = () => {
    for (const [name, pane] of Object.entries(panes)) pane.element.hidden = name !== which.value;
    contest.active = which.value === "contest";
    plan.playback.pause();
  };
  root.append(make("h1", { text: "Prove and plan" }), which.element, contest.element, plan.element);
  return {
    show(asked) {
      if (asked.get("show") in panes) which.value = asked.get("show");
      choose();
      panes[which.value].show(asked);
    },
    hide() {
      contest.active = false;
      plan.playback.pause();
    },
  };
}
