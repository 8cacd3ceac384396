// A side that cannot force its win still plays: it looks a few plies ahead and resists as long as it can.
import { isWon, legal, open, put, slide } from "./rules.js";

/** Positions to look at for one choice, about: small boards are looked into deeper. */
const EFFORT = 6000;
const END = 1000;

/** The choice of the side to play: `{ move }` for Slider, `{ cell, tile }` for Dropper. */
export function resist(board, turn, target, tiles) {
  let best = null;
  const depth = depthFor(board, tiles);
  for (const choice of choices(board, turn, tiles)) {
    const value = look(play(board, choice), other(turn), target, tiles, depth - 1, -Infinity, Infinity);
    if (!best || (turn === "slider" ? value > best.value : value < best.value)) best = { choice, value };
  }
  return best?.choice ?? null;
}

const other = (turn) => (turn === "slider" ? "dropper" : "slider");

function depthFor(board, tiles) {
  let [depth, seen] = [2, 1];
  while (depth < 8 && (seen *= depth % 2 === 0 ? 3 : Math.max(open(board).length, 2) * tiles.length) < EFFORT) depth += 1;
  return depth;
}

/** Everything that a side can do. */
export function choices(board, turn, tiles) {
  if (turn === "slider") return legal(board).map((move) => ({ move }));
  return open(board).flatMap((cell) => tiles.map((tile) => ({ cell, tile })));
}

/** The board after a choice. */
export const play = (board, { move, cell, tile }) => (move ? slide(board, move).board : put(board, cell, Math.log2(tile)));

/** The worth for Slider; an end that is farther away is less of one. */
function look(board, turn, target, tiles, depth, alpha, beta) {
  if (isWon(board, target)) return END + depth;
  const all = choices(board, turn, tiles);
  if (all.length === 0) return turn === "slider" ? -END - depth : look(board, "slider", target, tiles, depth, alpha, beta);
  if (depth <= 0) return worth(board);
  let best = turn === "slider" ? -Infinity : Infinity;
  let [low, high] = [alpha, beta];
  for (const choice of all) {
    const value = look(play(board, choice), other(turn), target, tiles, depth - 1, low, high);
    if (turn === "slider") [best, low] = [Math.max(best, value), Math.max(low, value)];
    else [best, high] = [Math.min(best, value), Math.min(high, value)];
    if (low >= high) break;
  }
  return best;
}

/** Large tiles, room, and pairs that can be merged are good for Slider. */
function worth({ rows, cols, cells }) {
  let pairs = 0;
  cells.forEach((e, at) => {
    if (e === 0) return;
    if (at % cols < cols - 1 && cells[at + 1] === e) pairs += 1;
    if (at < (rows - 1) * cols && cells[at + cols] === e) pairs += 1;
  });
  return 4 * Math.max(...cells) + cells.filter((e) => e === 0).length + 2 * pairs;
}
