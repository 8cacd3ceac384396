// Boards in plain text: hex, lists, tables with bars, drawings of terminals, HTML.
import { hexBoard, isCell, shapeOf, toBoard } from "./paste-cells.js";
import { fromJson, parseJson } from "./paste-json.js";

const BAR = /[|│┃║¦]/;
const BARS = /[|│┃║¦]/g;
/** Lines that only separate rows. */
const RULE = /^[\s|│┃║¦:+\-=─━═┄┈╌┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╭╮╰╯╟╫╢╤╧╪*]+$/;
const isRule = (line) => RULE.test(line) && /[─━═┄┈╌+]|--|==/.test(line);

/** The boards of a text, each with the number of its line. */
export function textBoards(lines, shape) {
  const plain = lines.map(({ text, line }) => ({ text: text.replace(/^(\s*)row\s*\d+\s*[:.]/i, "$1"), line }));
  const numbered = plain.filter(({ text }) => text.trim() !== "");
  if (numbered.length > 1 && numbered.every(({ text }) => /^\s*#?\d+[.):]\s+\S/.test(text))) {
    for (const one of numbered) one.text = one.text.replace(/^\s*#?\d+[.):]\s+/, "");
  }
  const full = numbered.filter(({ text }) => !isLabel(text));
  if (full.length === 0) throw new Error("there is no board in the text");
  const whole = full.filter(({ text }) => isWhole(text, full.length, shape));
  if (whole.length > 0 && 2 * whole.length > full.length && isWhole(full[0].text, full.length, shape)) {
    return full.map(({ text, line }) => ({ line, board: at(full.length > 1 ? line : null, () => lineBoard(text, shape)) }));
  }
  const blocks = split(plain);
  return blocks.map((block) => ({ line: block[0].line, board: at(blocks.length > 1 ? block[0].line : null, () => blockBoard(block.map(({ text }) => text), shape)) }));
}

/** Runs, and names the line in an error. */
export function at(line, run) {
  try {
    return run();
  } catch (error) {
    throw line === null ? error : new Error(`line ${line}: ${error.message}`);
  }
}

/** Words beside a board, such as a score. */
function isLabel(text) {
  const words = text.replace(BARS, " ").trim().split(/[\s,/;]+/);
  if (!/^[a-z][a-z']/i.test(words[0]) || isCell(words[0]) || /^(?=.*\d|.{4}$)[0-9a-f]+$/i.test(words[0])) return false;
  return /[:=!?]/.test(text) || /^(?:score|best|high|moves?|turn|points|time|game|level|max|steps?|you|press|use|lost|won)\b/i.test(words[0]) || !words.some(isCell);
}

/** Boards apart: by empty lines or by words between them. */
function split(lines) {
  const blocks = [[]];
  for (const one of lines) {
    if (one.text.trim() === "" || isLabel(one.text)) blocks.push([]);
    else blocks.at(-1).push(one);
  }
  const full = blocks.filter((block) => block.some(({ text }) => !isRule(text)));
  // Rows with an empty line after each are one board.
  return full.length > 1 && full.every((block) => block.filter(({ text }) => !isRule(text)).length === 1) ? [full.flat()] : full;
}

/** Whether a line is a board by itself; `count` is the number of lines. */
function isWhole(text, count, shape) {
  const plain = ended(text);
  if (hexDigits(plain, shape)) return true;
  if (/^[[{]/.test(plain)) {
    const value = parseJson(plain);
    if (Array.isArray(value) && (value.some(Array.isArray) || value.length >= 9)) return true;
    if (value && !Array.isArray(value)) return true;
  }
  const rows = rowsOf(plain);
  return rows.length > 1 ? rows.some((row) => row.length > 1) : rows[0].length >= 9 && rows[0].length !== count && shapeOf(rows[0].length, shape) !== null;
}

/** A row may end with the sign that rows end with. */
const ended = (text) => text.replace(/^ +| +$/g, "").replace(/(?<=\S)\s*[/;\\]+$/, "");

/** The digits of a board in hex, or null. */
export function hexDigits(text, shape) {
  const [, sign, digits] = /^(0x)?([0-9a-f][0-9a-f_ ]*[0-9a-f])$/i.exec(text.trim()) ?? [];
  if (!digits) return null;
  const plain = digits.replace(/[_ ]/g, "");
  if (sign) return plain;
  if (/[_ ]/.test(digits) || !/\d/.test(plain)) return null;
  return [9, 12, 16].includes(plain.length) || (shape && plain.length === shape.rows * shape.cols && plain.length > 4) ? plain : null;
}

function lineBoard(text, shape) {
  const plain = ended(text);
  const digits = hexDigits(plain, shape);
  if (digits) return hexBoard(digits, shape);
  const value = /^[[{]/.test(plain) ? parseJson(plain) : undefined;
  if (value !== undefined) return fromJson(value, shape).boards[0];
  return toBoard(hexRows(rowsOf(plain)), shape);
}

/** Rows of a single line: apart by `/`, `;`, brackets, or bars around several values. */
function rowsOf(text) {
  const plain = text.replace(/[\])}]\s*[,;]?\s*(?=[[({])/g, "/").replace(/[[\](){}"']/g, " ").trim();
  const parts = plain.split(/[/;\\]/);
  if (parts.length === 1 && BAR.test(plain)) {
    const between = plain.split(BARS).map((part) => part.trim()).filter((part) => part !== "");
    if (between.some((part) => cellsOf(part).length > 1)) return between.map(cellsOf);
  }
  return parts.map((part) => cellsOf(part.trim()));
}

/** `1234/5678/…`: a hex digit a cell in rows. */
function hexRows(rows) {
  const [first] = rows;
  const long = first[0]?.length ?? 0;
  const alike = rows.length > 1 && long > 1 && rows.every((row) => row.length === 1 && row[0].length === long && /^[0-9a-f.]+$/i.test(row[0]));
  return alike ? rows.map(([word]) => [...word].map((digit) => (digit === "." ? "." : String(parseInt(digit, 16))))) : rows;
}

/** The cells of a row. */
function cellsOf(row, trailing = false) {
  if (BAR.test(row)) return row.trim().replace(/^[|│┃║¦]/, "").replace(/[|│┃║¦]$/, "").split(BARS).map((cell) => cell.trim());
  if (row.includes(",")) return (trailing ? row.replace(/,\s*$/, "") : row).split(",").map((cell) => cell.trim());
  if (row.includes("\t")) return row.replace(/^ +| +$/g, "").split("\t").map((cell) => cell.trim());
  return row.trim().split(/\s+/).filter((cell) => cell !== "");
}

/** A board in lines, with bars and rules or without. */
function blockBoard(lines, shape) {
  if (lines.length === 1) return lineBoard(lines[0], shape);
  const bars = lines.some((line) => BAR.test(line));
  // Where rows end with a comma, it does not begin another cell.
  const trailing = lines.slice(0, -1).every((line) => /,\s*$/.test(line)) && !lines.some((line) => /^\s*,/.test(line));
  const clean = (line) => cellsOf(ended(bars ? line : line.replace(/^[ [({"']*|["'\])}]+[,;]? *$/g, "").replace(/["']/g, " ")), trailing);
  const groups = [[]];
  for (const line of lines) {
    if (isRule(line)) groups.push([]);
    else groups.at(-1).push(clean(line));
  }
  const full = groups.filter((group) => group.length > 0);
  const drawn = full.length > 2 || (full.length === 2 && full[0].length === full[1].length);
  const rows = drawn ? full.map(merge) : full.flat();
  if (!drawn && full.length === 2 && isRule(lines[1]) && isHeader(rows)) rows.shift();
  return toBoard(hexRows(rows), shape);
}

/** A row that is drawn in several lines. */
const merge = (lines) => lines[0].map((_, col) => lines.map((line) => line[col] ?? "").find((cell) => cell !== "") ?? "");

/** Whether the first row of a markdown table is no row of the board. */
function isHeader(rows) {
  const [head, ...rest] = rows;
  if (!head.every(isCell)) return true;
  return head.every((cell) => cell === "") && rest.length >= head.length;
}

/** The boards of a page: tables, or the tiles of the original game. */
export function htmlBoards(text, shape) {
  const placed = [...text.matchAll(/\btile-(\d+)\s+tile-position-(\d+)-(\d+)/g)];
  if (placed.length > 0) {
    const size = Math.max(4, ...placed.flatMap(([, , x, y]) => [Number(x), Number(y)]));
    const rows = Array.from({ length: size }, () => new Array(size).fill("."));
    // Where two tiles have merged the page has all three.
    for (const [, value, x, y] of placed) if (Number(value) > (Number(rows[y - 1][x - 1]) || 0)) rows[y - 1][x - 1] = value;
    return [{ line: 1, board: toBoard(rows) }];
  }
  const tables = text.split(/<table\b[^>]*>/i).slice(text.match(/<table\b/i) ? 1 : 0);
  return tables.map((table, i) => {
    const rows = table.split(/<\/table/i)[0].split(/<tr\b[^>]*>/i).slice(1)
      .map((row) => ({ data: /<td\b/i.test(row), cells: [...row.matchAll(/<t[dh]\b[^>]*>([\s\S]*?)(?=<\/?t[dhr]\b|$)/gi)].map(([, cell]) => plainText(cell)) }));
    const data = rows.some((row) => row.data) ? rows.filter((row) => row.data) : rows;
    const cells = data.map((row) => row.cells).filter((row) => row.some(isCell));
    return { line: 1, board: at(null, () => toBoard(cells.length > 0 ? cells : fail(`table ${i + 1} has no tiles`), shape)) };
  });
}

function fail(text) {
  throw new Error(text);
}

const plainText = (html) => html.replace(/<[^>]*>/g, " ").replace(/&nbsp;|&#160;/g, " ").replace(/&\w+;/g, " ").trim();
