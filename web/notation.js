// Boards, variants and lines of play as text. A board is { rows, cols, cells }, cells being
// exponents row by row, 0 for an empty one.
import { OBJECTIVES } from "./objectives.js";

/** The largest exponent of a tile. */
export const MOST = 100;

/** The empty board of a shape. */
export const empty = ({ rows, cols }) => ({ rows, cols, cells: new Array(rows * cols).fill(0) });

/** The value of a tile as text. */
export const tile = (exponent) => (exponent < 31 ? String(2 ** exponent) : exponent < 54 ? (2n ** BigInt(exponent)).toString() : `2^${exponent}`);

/** The exponent of a tile, or NaN. */
export function exponent(text) {
  const power = /^2\^(\d{1,3})$/.exec(text);
  if (power) return within(Number(power[1]));
  if (!/^\d{1,31}$/.test(text)) return NaN;
  const value = BigInt(text);
  const digits = value.toString(2);
  return value > 1n && /^10*$/.test(digits) ? within(digits.length - 1) : NaN;
}

const within = (e) => (e >= 1 && e <= MOST ? e : NaN);

/** The board in a text of either notation; its shape may be left to the text. */
export function parseBoard(text, shape = null) {
  const wanted = (board) => {
    if (shape && (board.rows !== shape.rows || board.cols !== shape.cols)) {
      throw new Error(`the board is ${board.rows}x${board.cols}, and the game ${shape.rows}x${shape.cols}`);
    }
    return board;
  };
  const plain = text.trim().replace(/\s*([,/])\s*/g, "$1");
  if (plain === "") throw new Error("there is no board in the text");
  if (/^0x/i.test(plain)) {
    const digits = plain.slice(2);
    if (!/^[0-9a-f]+$/i.test(digits)) throw new Error("0x is followed by one hex digit a cell");
    const side = Math.sqrt(digits.length);
    const { rows, cols } = shape ?? { rows: side, cols: side };
    if (rows * cols !== digits.length || !Number.isInteger(rows)) {
      throw new Error(shape ? `${digits.length} hex digits, and the game has ${rows * cols} cells` : "hex digits alone are taken for a square board");
    }
    return { rows, cols, cells: [...digits].map((digit) => parseInt(digit, 16)) };
  }
  const rows = plain.split("/").map((row) => row.split(",").map((cell) => {
    if (cell === "." || cell === "" || cell === "0") return 0;
    const found = exponent(cell);
    if (Number.isNaN(found)) throw new Error(`'${cell}' is not a tile: use a power of two, or . for an empty cell`);
    return found;
  }));
  const cols = rows[0].length;
  if (rows.some((row) => row.length !== cols)) throw new Error("all rows must have the same number of cells");
  if (rows.length > 32 || cols > 32) throw new Error("boards have at most 32 rows and columns");
  return wanted({ rows: rows.length, cols, cells: rows.flat() });
}

/** A board as tile values. */
export function tiles(board) {
  const rows = [];
  for (let row = 0; row < board.rows; row += 1) {
    const cells = board.cells.slice(row * board.cols, (row + 1) * board.cols);
    rows.push(cells.map((e) => (e === 0 ? "." : tile(e))).join(","));
  }
  return rows.join("/");
}

/** A board in hex where it fits, as tile values otherwise. */
export function write(board) {
  if (board.cells.some((e) => e > 15)) return tiles(board);
  return `0x${board.cells.map((e) => e.toString(16)).join("")}`;
}

/** The shape in `ROWSxCOLS`. */
export function parseShape(text) {
  const found = /^(\d{1,2})x(\d{1,2})$/.exec(text.trim());
  const [rows, cols] = found ? [Number(found[1]), Number(found[2])] : [0, 0];
  if (rows < 1 || cols < 1 || rows > 32 || cols > 32) throw new Error(`'${text}' is not a shape: write 3x3`);
  return { rows, cols };
}

/** The part of an id that says where walls are. Such games are read by walls.js. */
export const WALLS = /-(?:formation-(\w+)|walls-\d+(?:-keep-[\da-f+]+)?(?:-goal-[\da-f]+)?)/;

/** The parts of a variant's id, such as 3x3-to-256-win. */
export function parseVariant(id) {
  const found = /^(\d+x\d+)(?:-to-([\d^]+))?(?:-spawn-([\d.:,]+))?(?:-start-(\d+))?(?:-([a-z]+)(?:-([\d.]+))?)?$/.exec(id);
  if (!found || (found[5] && !OBJECTIVES.some(({ name }) => name === found[5]))) throw new Error(`'${id}' is not a game: write 3x3-to-256-win`);
  const [, shape, to, spawn, start, objective, discount] = found;
  const target = to === undefined ? null : exponent(to);
  if (Number.isNaN(target)) throw new Error(`'${to}' is not a target: use a power of two from 8`);
  return {
    id,
    name: shape,
    shape: parseShape(shape),
    target,
    // Weights of 2 and 4 in billionths, as the dice use them.
    twos: spawn === undefined ? 900_000_000 : weight(spawn),
    start: start === undefined ? 2 : Number(start),
    objective: objective ?? (target === null ? "score" : "win"),
    discounted: discount !== undefined,
  };
}

function weight(spawn) {
  const two = spawn.split(",").map((part) => part.split(":")).find(([value]) => value === "2");
  return two ? Math.round(Number(two[1]) * 1e9) : 0;
}

/** A variant in words. */
export function words(id) {
  const walls = WALLS.exec(id);
  if (walls) return `${words(id.replace(WALLS, ""))}, ${walls[1] ? `formation ${walls[1]}` : walls[0].slice(1)}`;
  try {
    const v = parseVariant(id);
    const goal = v.objective === "win" ? "" : `, ${OBJECTIVES.find(({ name }) => name === v.objective).title}`;
    const rest = id.includes("-spawn-") || id.includes("-start-") || v.discounted ? ` (${id})` : "";
    return `${v.name}${v.target === null ? "" : ` to ${tile(v.target)}`}${v.target === null && v.objective === "score" ? "" : goal}${rest}`;
  } catch {
    return id;
  }
}

const LETTERS = { L: "left", R: "right", U: "up", D: "down" };

/** Moves as the address has them: `L7.2` is a slide to the left and a 2 that falls into cell 7. */
export function writeMoves(plies) {
  return plies.map(({ move, cell, tile: value }) => {
    const letter = move[0].toUpperCase();
    return cell === undefined ? letter : `${letter}${cell}.${value}`;
  }).join("");
}

/** Moves read back. */
export function parseMoves(text) {
  if (!/^(?:[LRUD](?:\d+\.\d+)?)*$/.test(text)) throw new Error("the moves in the address cannot be read");
  return [...text.matchAll(/([LRUD])(?:(\d+)\.(\d+))?/g)].map(([, letter, cell, value]) => {
    const move = LETTERS[letter];
    return cell === undefined ? { move } : { move, cell: Number(cell), tile: Number(value) };
  });
}
