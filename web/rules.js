// The rules: slides, what can fall, seeded dice. The program's own answers are compared with
// these in the tests.
import { empty } from "./notation.js";

export const MOVES = ["left", "right", "up", "down"];

/** The keys of moves. */
export const KEYS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
  a: "left", d: "right", w: "up", s: "down",
  A: "left", D: "right", W: "up", S: "down",
};

const known = new Map();

/** The cells of each line of a slide, from the wall it goes to. */
function lines({ rows, cols }, move) {
  const key = `${move}${rows}x${cols}`;
  if (!known.has(key)) known.set(key, findLines(rows, cols, move));
  return known.get(key);
}

function findLines(rows, cols, move) {
  const across = move === "left" || move === "right";
  const [count, length] = across ? [rows, cols] : [cols, rows];
  const back = move === "right" || move === "down";
  return Array.from({ length: count }, (_, line) => Array.from({ length }, (_, i) => {
    const at = back ? length - 1 - i : i;
    return across ? line * cols + at : at * cols + line;
  }));
}

/** A slide, or null if it changes nothing. `paths` has where each tile goes, `merged` the cells
 * with a new tile, `score` the points. */
export function slide(board, move) {
  const cells = new Array(board.cells.length).fill(0);
  const paths = [];
  const merged = [];
  let score = 0;
  for (const line of lines(board, move)) {
    let next = 0;
    let open = false;
    for (const from of line) {
      const e = board.cells[from];
      if (e === 0) continue;
      if (open && cells[line[next - 1]] === e) {
        const to = line[next - 1];
        cells[to] = e + 1;
        score += 2 ** (e + 1);
        merged.push(to);
        paths.push({ from, to });
        open = false;
      } else {
        cells[line[next]] = e;
        paths.push({ from, to: line[next] });
        next += 1;
        open = true;
      }
    }
  }
  if (cells.every((e, at) => e === board.cells[at])) return null;
  return { board: { ...board, cells }, score, paths, merged };
}

/** The moves that change the board. */
export const legal = (board) => MOVES.filter((move) => slide(board, move) !== null);

/** Whether the target is on the board. */
export const isWon = (board, target) => target !== null && board.cells.some((e) => e >= target);

/** Empty cells, row by row. */
export const open = (board) => board.cells.flatMap((e, cell) => (e === 0 ? [cell] : []));

/** A board with a tile in a cell. */
export function put(board, cell, e) {
  const cells = [...board.cells];
  cells[cell] = e;
  return { ...board, cells };
}

/** Every tile that can fall, with its probability. */
export function outcomes(board, variant) {
  const cells = open(board);
  const weights = [[1, variant.twos / 1e9], [2, 1 - variant.twos / 1e9]].filter(([, p]) => p > 0);
  return cells.flatMap((cell) => weights.map(([e, p]) => ({
    cell, tile: 2 ** e, probability: p / cells.length, board: put(board, cell, e),
  })));
}

const WORD = (1n << 64n) - 1n;
const ONE = 1_000_000_000;

function mix(z) {
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return z ^ (z >> 31n);
}

const turn = (x, by) => ((x << by) | (x >> (64n - by))) & WORD;

/** The dice of a game of a seed: xoshiro256++, the same tiles as in the program. */
export class Dice {
  constructor(seed, game = 0) {
    const step = 0x9e3779b97f4a7c15n;
    let state = mix((BigInt(seed) + step) & WORD) ^ turn(mix((BigInt(game) + step) & WORD), 32n);
    this.state = [0, 1, 2, 3].map(() => {
      state = (state + step) & WORD;
      return mix(state);
    });
  }

  next() {
    const [a, b, c, d] = this.state;
    const out = (turn((a + d) & WORD, 23n) + a) & WORD;
    const [e, f] = [c ^ a, d ^ b];
    this.state = [a ^ f, b ^ e, e ^ ((b << 17n) & WORD), turn(f, 45n)];
    return out;
  }

  /** A uniform number below a bound. */
  below(bound) {
    const low = (2 ** 32 % bound);
    for (;;) {
      const product = (this.next() >> 32n) * BigInt(bound);
      if (Number(product & 0xffffffffn) >= low) return Number(product >> 32n);
    }
  }

  /** A tile that falls: first its cell is drawn, then its value. */
  fall(board, variant) {
    const cells = open(board);
    if (cells.length === 0) return null;
    const cell = cells[this.below(cells.length)];
    return { cell, tile: this.below(ONE) < variant.twos ? 2 : 4 };
  }

  /** A start by dice. */
  deal(variant) {
    let board = empty(variant.shape);
    for (let i = 0; i < variant.start; i += 1) {
      const fallen = this.fall(board, variant);
      if (fallen) board = put(board, fallen.cell, Math.log2(fallen.tile));
    }
    return board;
  }
}

/** A seed from what was typed. */
export function seedOf(text) {
  const plain = String(text).trim();
  if (!/^\d{1,20}$/.test(plain) || BigInt(plain) > WORD) throw new Error("a seed is a whole number from 0");
  return plain;
}
