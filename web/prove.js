// Prove and plan: a duel against a proven strategy, and a plan played back.
import { make, segments } from "./element.js";
import { Duel } from "./duel.js";
import { PlanView } from "./plan.js";

/** The area in an element. */
export function mount(root) {
  const duel = new Duel();
  const plan = new PlanView();
  const panes = { duel, plan };
  const which = segments("Show", [["duel", "Slider against Dropper"], ["plan", "A plan"]], "duel", () => choose());
  const choose = () => {
    for (const [name, pane] of Object.entries(panes)) pane.element.hidden = name !== which.value;
    duel.active = which.value === "duel";
    plan.playback.pause();
  };
  root.append(make("h1", { text: "Prove and plan" }), which.element, duel.element, plan.element);
  return {
    show(asked) {
      if (asked.get("show") in panes) which.value = asked.get("show");
      choose();
      panes[which.value].show(asked);
    },
    hide() {
      duel.active = false;
      plan.playback.pause();
    },
  };
}
