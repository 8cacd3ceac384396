// What is said about a contest of Slider and Dropper.
import { ARROWS } from "./moves.js";
import { whole } from "./numbers.js";

export const NAMES = { slider: "Slider", dropper: "Dropper" };

/** What was played, in words. */
export function plyText({ move, cell, tile }, { shape }) {
  return move ? `${ARROWS[move]} ${move}` : `${tile} at ${Math.floor(cell / shape.cols) + 1},${(cell % shape.cols) + 1}`;
}

/** Who can force a win. */
export function proofText(winner, to, positions) {
  const known = positions === null ? "" : ` The proof knows what to do in ${whole(positions)} positions.`;
  if (winner === "slider") return `Slider can force the ${to}, whatever Dropper does.${known}`;
  return `Dropper can prevent the ${to}, whatever Slider does.${positions === null ? " The tile is out of reach on this board." : known}`;
}

/** Where the contest is. `thinker` is the side with the proof while the program looks for a move, else null; `playing` whether
 * moves are shown one after the other. */
export function saysText(contest, you, to, thinker, playing) {
  const { turn, winner } = contest;
  if (winner === "slider") return `Slider has the ${to} and wins.`;
  if (winner === "dropper") return "No slide is possible: Dropper wins.";
  if (turn === you) return turn === "dropper" ? "Your turn: put a tile into an empty cell." : "Your turn: slide.";
  if (thinker && !playing) return `${NAMES[turn]} ${turn === thinker ? "looks into the proof" : "thinks"}…`;
  if (playing) return `${NAMES[turn]} is to play.`;
  return `${NAMES[turn]} is to play. ${you === "nobody" ? "Press Play, or go step by step." : "Press › to go on."}`;
}
