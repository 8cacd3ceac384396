// Boards in JSON, and in what looks like it: lists, lists of lists, and the saved games of other programs.
import { toBoard } from "./paste-cells.js";

const FIELDS = ["board", "grid", "cells", "tiles", "state", "gameState", "matrix", "field", "position"];
const LISTS = ["boards", "positions", "history", "states", "frames"];

/** The value in a text, or undefined if it is not JSON. Python's None and quotes pass. */
export function parseJson(text) {
  const plain = text.replace(/\b(?:None|nil|undefined|NaN)\b/g, "null").replace(/,\s*([\]}])/g, "$1").trim().replace(/;$/, "");
  for (const tried of [plain, plain.replaceAll("'", '"')]) {
    try {
      return JSON.parse(tried);
    } catch {
      // The next one may do.
    }
  }
  return undefined;
}

/** `{ boards }` or `{ variant, start, moves }` of a value. */
export function fromJson(value, shape) {
  if (typeof value === "string") return fromJson(parseJson(value) ?? fail("a text in quotes is no board"), shape);
  if (!value || typeof value !== "object") fail("the JSON is no board");
  if (!Array.isArray(value)) return fromObject(value, shape);
  if (value.length === 0) fail("the list is empty");
  if (value.every((entry) => !Array.isArray(entry) && typeof entry !== "object")) return { boards: [toBoard([value], shape)] };
  if (value.some(placed)) return { boards: [fromTiles(value, shape)] };
  if (value.some((entry) => entry && !Array.isArray(entry) && typeof entry === "object" && FIELDS.some((name) => name in entry))) return boardsOf(value, shape);
  if (value.some((row) => Array.isArray(row) && row.some(placed))) return { boards: [fromTiles(value.flat(), { rows: value.length, cols: value[0].length })] };
  // Lists of lists of lists are boards, and so are lists that are too long to be rows.
  if (value.some((entry) => Array.isArray(entry) && entry.some(Array.isArray))) return boardsOf(value, shape);
  if (value.every((row) => Array.isArray(row) && row.length >= 9 && row.length !== value.length)) return boardsOf(value, shape);
  return { boards: [toBoard(value.map((row) => (Array.isArray(row) ? row : [row])).map((row) => row.map(valueOf)), shape)] };
}

function boardsOf(values, shape) {
  return { boards: values.map((entry, i) => {
    try {
      return fromJson(entry, shape).boards[0];
    } catch (error) {
      throw new Error(`board ${i + 1}: ${error.message}`);
    }
  }) };
}

function fromObject(value, shape) {
  if (Array.isArray(value.moves) && (value.start ?? value.board) !== undefined) return { variant: value.variant, start: value.start ?? value.board, moves: value.moves };
  for (const name of LISTS) if (Array.isArray(value[name])) return boardsOf(value[name], shape);
  const sized = Number.isInteger(value.size) ? { rows: value.size, cols: value.size } : shape;
  for (const name of FIELDS) {
    const inner = value[name];
    if (typeof inner === "string" && !/^\s*[[{]/.test(inner)) return { text: inner };
    if (inner !== undefined && inner !== null) return fromJson(inner, sized);
  }
  return fail(`the JSON has no board: a field named ${FIELDS.slice(0, 3).join(", ")} is looked for`);
}

/** Whether a tile says itself where it is: `{ position: { x, y }, value }`, or row and column. */
const placed = (tile) => tile !== null && typeof tile === "object" && !Array.isArray(tile) && spot(tile) !== null;

function spot(tile) {
  const { x, y, row, col, column } = { ...tile, ...(typeof tile.position === "object" ? tile.position : {}) };
  if (Number.isInteger(row) && Number.isInteger(col ?? column)) return [row, col ?? column];
  return Number.isInteger(x) && Number.isInteger(y) ? [y, x] : null;
}

const valueOf = (cell) => (cell && typeof cell === "object" ? cell.value ?? cell.tile ?? cell.number : cell);

function fromTiles(tiles, shape) {
  const { rows, cols } = shape ?? { rows: 4, cols: 4 };
  const grid = Array.from({ length: rows }, () => new Array(cols).fill("."));
  for (const tile of tiles) {
    if (!tile) continue;
    const [row, col] = spot(tile) ?? fail("a tile does not say where it is");
    if (!grid[row] || grid[row][col] === undefined) fail(`a tile is at row ${row + 1}, column ${col + 1}, outside the board`);
    grid[row][col] = valueOf(tile);
  }
  return toBoard(grid);
}

function fail(text) {
  throw new Error(text);
}
