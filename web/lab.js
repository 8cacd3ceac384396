// Lab: the areas for exact experiments, each with a sentence about it.
import { make } from "./element.js";

export const LABS = [
  { name: "count", title: "Count", about: "How many positions can arise in a game, layer by layer, live while they are counted or solved." },
  { name: "prove", title: "Prove", about: "One side slides, the other puts the tiles: play against a strategy that is proven to win." },
  { name: "plan", title: "Plan", about: "The shortest way to a tile when you know where the new tiles appear." },
  { name: "diagrams", title: "Diagrams", about: "Whole small games on one sheet: every position, every move, every chance." },
];

/** The area in an element. */
export function mount(root) {
  root.append(make("h1", { text: "Lab" }),
    make("p", { class: "note", text: "Experiments with 2048 and its smaller relatives. Every number here is exact." }),
    make("ul", { class: "cards" }, LABS.map(({ name, title, about }) => make("li", { class: "panel" },
      make("h2", {}, make("a", { href: `#${name}`, text: title })), make("p", { text: about })))));
  return { show() {} };
}
