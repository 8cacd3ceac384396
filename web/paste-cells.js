// Rows of cells as people write them, made into a board. What is wrong is said with its row and column.
import { exponent } from "./notation.js";

const EMPTY = /^(?:|[.\-_*·•□▢○⬜—–]|0+|0\.0|null|none|nil|nan|empty|undefined|false)$/i;
/** Shapes of lists that do not say where a row ends. */
const SHAPES = { 4: [2, 2], 6: [2, 3], 8: [2, 4], 9: [3, 3], 12: [3, 4], 16: [4, 4], 20: [4, 5], 25: [5, 5], 36: [6, 6], 49: [7, 7], 64: [8, 8] };
/** The largest exponent that a list of exponents may have. */
const SMALL = 17;

/** Whether a word can be a cell. */
export const isCell = (word) => EMPTY.test(word) || /^(?:\d+(?:\.0)?|\d+k|2\^\d+)$/i.test(word);

/** The shape of so many cells in a row, or null. `shape` is preferred. */
export function shapeOf(count, shape) {
  if (shape && shape.rows * shape.cols === count) return shape;
  const found = SHAPES[count];
  return found ? { rows: found[0], cols: found[1] } : null;
}

/** A board of one hex digit a cell. */
export function hexBoard(digits, shape) {
  const found = shapeOf(digits.length, shape);
  if (!found) throw new Error(`${digits.length} hex digits: a 4x4 board has 16, a 3x3 board 9`);
  return { ...found, cells: [...digits].map((digit) => parseInt(digit, 16)) };
}

/** A board from rows of words. One row, or one word a row, is a list of all cells. */
export function toBoard(rows, shape = null) {
  const { rows: count, cols, words } = arrange(rows.map((row) => row.map((word) => String(word ?? "").trim())).filter((row) => row.length > 0), shape);
  if (count > 32 || cols > 32) throw new Error(`the board has ${count} rows and ${cols} columns: at most 32 of each can be`);
  const place = (at) => `row ${Math.floor(at / cols) + 1}, column ${(at % cols) + 1}`;
  const hex = words.some((word) => /^[a-f]$/i.test(word)) && words.every((word) => EMPTY.test(word) || /^[0-9a-f]$/i.test(word));
  const cells = words.map((word, at) => {
    if (EMPTY.test(word)) return { e: 0 };
    if (hex) return { e: parseInt(word, 16) };
    if (!isCell(word)) throw new Error(`${place(at)}: '${word.slice(0, 20)}' is no tile`);
    if (word.startsWith("2^")) return { e: exponent(word), word };
    return { n: word.replace(/\.0$/, "").replace(/^(\d+)k$/i, (_, thousands) => String(thousands * 1024)), word };
  });
  return { rows: count, cols, cells: understand(cells, place) };
}

function arrange(rows, shape) {
  const all = rows.flat();
  if (all.length === 0) throw new Error("there is no board in the text");
  const [first] = rows;
  const even = rows.every((row) => row.length === first.length);
  if (rows.length > 1 && even && first.length > 1) return { rows: rows.length, cols: first.length, words: all };
  const wanted = rows.length === 1 || (even && first.length === 1) || rows.length > 6 ? shapeOf(all.length, shape) : null;
  if (wanted) return { ...wanted, words: all };
  if (rows.length > 1 && !even) {
    const at = rows.findIndex((row) => row.length !== first.length);
    throw new Error(`row ${at + 1} has ${many(rows[at].length, "cell")}, and row 1 has ${first.length}`);
  }
  throw new Error(`there ${all.length === 1 ? "is" : "are"} ${many(all.length, "value")}: a 4x4 board has 16, a 3x3 board 9`);
}

const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Numbers as exponents. Small numbers that are not all powers of two are exponents already. */
function understand(cells, place) {
  const power = ({ n }) => exponent(n);
  const numbers = cells.filter(({ n }) => n !== undefined);
  const odd = numbers.filter((cell) => Number.isNaN(power(cell)));
  const largest = Math.max(0, ...numbers.map(({ n }) => Number(n)));
  // A single odd number among 2, 4, 8, 16 is a slip.
  const exponents = odd.length > 0 && largest <= SMALL && (odd.length > 1 || largest < 16);
  return cells.map((cell, at) => {
    const e = cell.n === undefined ? cell.e : exponents ? Number(cell.n) : power(cell);
    if (Number.isNaN(e)) throw new Error(`${place(at)}: '${cell.word}' is no tile: tiles are powers of two from 2`);
    return e;
  });
}
