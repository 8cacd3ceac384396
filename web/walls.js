// Games with walls: their ids, their boards, and slides in which walls stay apart.
import { parseBoard, parseVariant, WALLS } from "./notation.js";
import { slide } from "./rules.js";

/** The exponent that stands for a wall on a board: f in hex. */
export const WALL = 15;

/** Whether a game has walls. */
export const isWalled = (id) => WALLS.test(id);

/** The parts of a game with walls that is played to win, such as 4x4-to-64-formation-L3-win. */
export function parseWalled(id) {
  const right = "write 4x4-to-64-formation-L3-win";
  if (!isWalled(id)) throw new Error(`'${id}' is not a formation: ${right}`);
  const variant = parseVariant(id.replace(WALLS, ""));
  if (variant.target === null || variant.objective !== "win" || variant.discounted) throw new Error(`'${id}' is not played to make a tile: ${right}`);
  return { ...variant, id: id.endsWith("-win") ? id : `${id}-win` };
}

/** A board with walls: # in text, f in hex. */
export const parseWalledBoard = (text, shape) => parseBoard(text.replaceAll("#", String(2 ** WALL)), shape);

/** The walls of a board, as cells. */
export const wallsOf = ({ cells }) => cells.flatMap((e, cell) => (e === WALL ? [cell] : []));

/** Cells as answers write them: a hex digit each, zeros in front left out. */
export function cellsOf(text, { rows, cols }) {
  return [...text.padStart(rows * cols, "0")].flatMap((digit, cell) => (digit === "0" ? [] : [cell]));
}

/** A slide as in `slide` of rules.js, but two walls never merge. Whether it is allowed is for the game to say. */
export function slideWalled(board, move) {
  // Walls that differ cannot merge.
  const apart = board.cells.map((e, cell) => (e === WALL ? 1000 + cell : e));
  const slid = slide({ ...board, cells: apart }, move);
  if (!slid) return null;
  const cells = slid.board.cells.map((e) => (e >= 1000 ? WALL : e));
  return { ...slid, board: { ...board, cells } };
}

/** Why a slide is not allowed, as a part of a sentence. */
export function refusal(board, move, target) {
  const slid = slideWalled(board, move);
  if (!slid) return "nothing would move";
  if (slid.board.cells.some((e) => e > target && e !== WALL)) return `it would make a tile above ${2 ** target}`;
  return "the walls would leave the formation";
}
