// Whatever people have in their clipboard, as a board or a game: `read(text)`.
import { Line } from "./line.js";
import { readLink } from "./links.js";
import { parseVariant, write } from "./notation.js";
import { fromJson, parseJson } from "./paste-json.js";
import { htmlBoards, textBoards } from "./paste-text.js";
import { Dice, MOVES, seedOf, slide } from "./rules.js";

const LONGEST = 20_000_000;
/** A game as storage has it. */
const PACKED = /^\d+\.[\w-]{20,}$/;
/** The games of small shapes that can be solved, where a text does not name one. */
const GAMES = { "2x2": "2x2-to-16-win", "2x3": "2x3-to-64-win", "3x2": "3x2-to-64-win", "2x4": "2x4-to-128-win", "4x2": "4x2-to-128-win", "3x3": "3x3-to-256-win" };

/** The board or the line of play in a text: `{ board }`, or `{ line, note }` with a note where something was
 * not in the text. `current` is the variant to prefer where the text does not say. */
export function read(text, current = null) {
  if (text.length > LONGEST) throw new Error("the text is too long");
  const plain = text.replace(/\u001b\[[\d;]*m/g, "").replace(/[\u00a0\u2007\u202f]/g, " ").replace(/\ufeff|\r(?=\n)/g, "").replaceAll("\r", "\n");
  // Without the name that a program gives it: `int board[4][4] = {`.
  const short = plain.trim().replace(/^[^={}\n]*=\s*(?=[[{(])/, "");
  if (short === "") throw new Error("there is nothing to read");
  const shape = current?.shape ?? null;
  const link = /#\/?(?:analyse|explore|watch|play)\?(\S+)/.exec(short);
  if (link) return fromLink(new URLSearchParams(link[1]));
  if (PACKED.test(short)) return { line: Line.unpack(short) };
  if (/<(?:table|tr|div|span|html|body|ul)\b/i.test(short)) return result(htmlBoards(short, shape), current);
  const json = jsonIn(short);
  if (json !== undefined) return fromValue(json, current);
  return fromLines((short === plain.trim() ? plain : short).split("\n"), current);
}

/** A game or a position of this page's addresses. */
function fromLink(asked) {
  const packed = asked.get("game");
  if (packed && PACKED.test(packed)) return { line: Line.unpack(packed) };
  const { line } = readLink(asked) ?? fail("the link has no game and no board");
  return { line };
}

/** The JSON in a text, perhaps after a few words; undefined if there is none. */
function jsonIn(text) {
  if (/^[[{]/.test(text) || /^"[[{]/.test(text)) {
    const value = parseJson(text);
    if (value === undefined && text.startsWith("{") && /"\s*:/.test(text) && !/^\{.*\}\s*\n\s*\{/.test(text)) throw new Error("the JSON cannot be read: it may be cut off");
    return value;
  }
  const inside = /[[{][\s\S]*[\]}]/.exec(text)?.[0];
  return inside && /["[{]/.test(inside.slice(1)) && /^[\w\s.$:'"=()-]*$/.test(text.slice(0, text.indexOf(inside))) && /[a-z]/i.test(text[0]) ? parseJson(inside) : undefined;
}

function fromValue(value, current) {
  const { boards, variant, start, moves, text } = fromJson(value, current?.shape ?? null);
  if (text !== undefined) return fromLines([text], current);
  if (boards) return result(boards.map((board, i) => ({ board, name: `board ${i + 1}` })), current);
  const known = typeof start === "string" ? read(start, current).board : fromJson(start, current?.shape ?? null).boards[0];
  const plies = moves.map((move, i) => (typeof move === "string" ? { move: named(move) } : { move: named(move.move), cell: move.cell ?? undefined, tile: move.tile ?? undefined })
    ?? fail(`move ${i + 1} cannot be read`));
  return played(variant ? parseVariant(variant) : gameOf(known, current), known, plies, null);
}

const HEADER = /^\s*(?:variant|game|seed)?\s*[:=]?\s*(?:([1-9]\d?x[1-9]\d?(?:-[\w.:,^-]+)?)|(?<=seed\s*[:=]?\s*)(\d+))\s*$/i;

/** Plain text: a board, boards one after another, or moves with the board they begin from. */
function fromLines(all, current) {
  let [variant, seed] = [current, null];
  const lines = all.map((text, i) => ({ text, line: i + 1 })).filter(({ text }) => {
    if (/^\s*(?:```|~~~|\/\/|#(?!\d)|>)/.test(text)) return false;
    const [found, id, dice] = HEADER.exec(text) ?? [];
    if (!found) return true;
    if (id) variant = parseVariant(id);
    if (dice) seed = seedOf(dice);
    return false;
  });
  const { before, moves } = movesAfter(lines);
  if (moves.length === 0) return result(textBoards(before, variant?.shape ?? null).map((one) => ({ ...one, name: `line ${one.line}` })), variant);
  if (before.every(({ text }) => text.trim() === "")) {
    if (seed === null) throw new Error("the moves need a board to begin from: put it on the line before them");
    const game = variant ?? parseVariant("4x4");
    return played(game, new Dice(seed).deal(game), moves, seed);
  }
  const boards = textBoards(before, variant?.shape ?? null);
  const { board } = boards.at(-1);
  return played(gameOf(board, variant), board, moves, seed);
}

const WORDS = {
  left: "left", right: "right", up: "up", down: "down", l: "left", r: "right", u: "up", d: "down",
  "←": "left", "→": "right", "↑": "up", "↓": "down", "⬅": "left", "➡": "right", "⬆": "up", "⬇": "down",
};
const KEYS = { w: "up", a: "left", s: "down", d: "right" };
const MOVE = /(left|right|up|down|[lrudwas←→↑↓⬅➡⬆⬇]\ufe0f?)(?:(\d+)\.([24])(?!\d)|([24])@(\d+))?/giu;

const named = (word) => WORDS[String(word).toLowerCase().replace("\ufe0f", "")];

/** The lines before the moves, and the moves that end a text. */
function movesAfter(lines) {
  let from = lines.length;
  while (from > 0 && (lines[from - 1].text.trim() === "" || isMoves(lines[from - 1].text))) from -= 1;
  let before = lines.slice(0, from);
  let text = lines.slice(from).map((one) => one.text).join("\n");
  // One line may have both: a board in one word, and moves.
  const both = /^\s*(\S*[\d/,]\S*)\s+(\D.*)$/.exec(before.at(-1)?.text ?? "");
  if (text.trim() === "" && both && isMoves(both[2])) {
    before = [...before.slice(0, -1), { ...before.at(-1), text: both[1] }];
    [, , text] = both;
  }
  const keys = /[was]/i.test(text.replace(/left|right|up|down/gi, ""));
  const moves = [...unnumbered(text).matchAll(MOVE)].map(([, word, cell, tile, tile2, cell2]) => ({
    move: keys ? KEYS[word.toLowerCase()] ?? named(word) : named(word),
    ...(cell === undefined && cell2 === undefined ? {} : { cell: Number(cell ?? cell2), tile: Number(tile ?? tile2) }),
  }));
  return { before, moves };
}

const unnumbered = (text) => text.replace(/(^|\s)\d+[.):]+(?=\s|[a-z←-↓])/gi, "$1");

function isMoves(text) {
  const plain = unnumbered(text);
  return /\S/.test(plain) && plain.replace(MOVE, "").replace(/[\s,;>|.-]/g, "") === "" && /[a-z←→↑↓⬅➡⬆⬇]/i.test(plain);
}

/** A line of moves; tiles that the text does not have are those of the dice. */
function played(variant, start, plies, seed) {
  const line = new Line(variant, start);
  const missing = plies.slice(0, -1).some(({ cell }) => cell === undefined);
  plies.forEach((ply, i) => {
    if (!MOVES.includes(ply.move)) fail(`move ${i + 1} cannot be read`);
    try {
      line.extend(ply, i);
    } catch (error) {
      throw missing && seed === null ? new Error(`${error.message}. The text does not say which tiles appeared: write L2@5 for a 2 in cell 5`) : error;
    }
    if (line.waits && missing) {
      const { cell, tile } = line.fall(seed ?? 0);
      line.drop(cell, tile);
    }
  });
  line.jump(0);
  return { line, ...(missing && seed === null ? { note: "The text does not say which tiles appeared, so they were drawn at random." } : {}) };
}

/** One board, or the game that several make. */
function result(boards, current) {
  if (boards.length === 1) return { board: boards[0].board };
  const line = new Line(gameOf(boards[0].board, current), boards[0].board);
  boards.slice(1).forEach(({ board, name }) => follow(line, board, name ?? "the next board"));
  line.jump(0);
  return line.length === 0 ? { board: line.start } : { line };
}

/** Plays on to a board that a move and a tile, or one of both, lead to. */
function follow(line, board, name) {
  const { board: from } = line;
  if (board.rows !== from.rows || board.cols !== from.cols) fail(`${name}: the board is ${board.rows}x${board.cols}, and the one before ${from.rows}x${from.cols}`);
  const differs = (a) => a.cells.flatMap((e, cell) => (e === board.cells[cell] ? [] : [cell]));
  const spawned = (a, cells) => cells.length === 1 && a.cells[cells[0]] === 0 && [1, 2].includes(board.cells[cells[0]]);
  const now = differs(from);
  if (now.length === 0) return;
  if (line.waits && spawned(from, now)) {
    line.drop(now[0], 2 ** board.cells[now[0]]);
    return;
  }
  if (!line.waits) {
    for (const move of MOVES) {
      const done = slide(from, move);
      const cells = done ? differs(done.board) : null;
      if (cells === null || (cells.length > 0 && !spawned(done.board, cells))) continue;
      line.slide(move);
      if (cells.length === 1) line.drop(cells[0], 2 ** board.cells[cells[0]]);
      return;
    }
  }
  fail(`${name}: no move and new tile lead from the board before to ${write(board)}`);
}

/** The line in a text; a board begins one. `{ line, note }` as for `read`. */
export function readLine(text, current = null) {
  const { board, line, note } = read(text, current);
  return { line: line ?? new Line(gameOf(board, current), board), note };
}

/** The game of a board: the current one if it has that shape. */
function gameOf({ rows, cols }, current) {
  const name = `${rows}x${cols}`;
  return current && current.shape.rows === rows && current.shape.cols === cols ? current : parseVariant(GAMES[name] ?? name);
}

function fail(text) {
  throw new Error(text);
}
