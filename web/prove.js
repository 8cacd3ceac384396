// Prove: a contest against a proven strategy.
import { make } from "./element.js";
import { ContestView } from "./strategy.js";

/** The area in an element. */
export function mount(root) {
  const contest = new ContestView();
  root.append(make("h1", { text: "Prove" }), contest.element);
  return {
    show(asked) {
      contest.active = true;
      contest.show(asked);
    },
    hide() {
      contest.active = false;
    },
  };
}
