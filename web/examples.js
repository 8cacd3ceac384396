// Positions to begin with.
import { make } from "./element.js";

/** The position of a first visit: a game under way, with the 2048 in sight. */
export const FIRST = { game: "4x4", board: "0xa975463221311000" };

const EXAMPLES = [
  { text: "A strong player’s board", game: "4x4", board: "4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,." },
  { text: "One slide halves the chances", game: "3x3-to-256-win", board: "128,16,8/2,32,4/2,.,2" },
  { text: "A 16384 endgame", game: "4x4-to-16384", board: "8192,4096,2048,1024/4,32,128,512/2,16,64,8/2,.,.,4" },
  { text: "A solved game", game: "3x3-to-128-win", board: "64,16,8/2,32,4/2,.,2" },
];

/** Chips that open an example. */
export function chips(onopen) {
  return make("ul", { class: "chips", "aria-label": "Examples" }, EXAMPLES.map((example) => make("li", {},
    make("button", { type: "button", class: "chip", text: example.text, onclick: () => onopen(example) }))));
}
