// Recorded games, `.tb` files: read and written as the program does. docs/records.md has the format.
import { Line } from "./line.js";
import { NARROW } from "./packed.js";
import { parseVariant } from "./notation.js";
import { isWon, legal, MOVES, open, slide } from "./rules.js";
import { xxh3 } from "./xxh3.js";

const MAGIC = "TBGAMES";
const FORMAT = 1;
const ENDINGS = ["given up", "won", "lost"];
const CUT = "the end of the file is missing";

/** Whether bytes are a recording. */
export const isRecording = (bytes) => MAGIC === String.fromCharCode(...bytes.subarray(0, MAGIC.length));

/** What is in a recording: `{ variant, player, seed, games, damage }`. Each game has its `number` from 1, `moves`,
 * `score`, `ending` and `line()`, which is made and checked only when it is asked for, so that long files are
 * listed at once. `damage` says what is wrong after the last game that can be read, or is null. */
export function openRecording(bytes) {
  if (!isRecording(bytes)) throw new Error("the file is no recording of tilebase");
  const source = new Reader(bytes, MAGIC.length);
  if (source.byte() !== FORMAT) throw new Error("the recording is of a format that this page does not know");
  const [name, player] = [source.text(), source.text()];
  const seed = source.whole(8);
  source.take(2);
  if (!source.sealed(0)) throw new Error("the beginning of the recording is damaged");
  const variant = gameOf(name);
  const games = [];
  let damage = null;
  try {
    while (readBlock(source, variant, games));
  } catch (error) {
    damage = `${error.message}: ${games.length} ${games.length === 1 ? "game" : "games"} could be read`;
  }
  return { variant, player, seed: String(seed), games, damage };
}

/** All games of a recording as lines. */
export const readRecording = (bytes) => openRecording(bytes).games.map((game) => game.line());

/** Small games are named with what they are played for, as everywhere on the page. */
function gameOf(name) {
  const variant = parseVariant(name);
  return variant.target !== null && variant.shape.rows * variant.shape.cols <= 12 ? parseVariant(`${name}-win`) : variant;
}

function readBlock(source, variant, games) {
  const from = source.next;
  const kind = source.byte();
  const length = Number(source.whole(4));
  const content = new Reader(source.take(length), 0);
  source.take(8);
  const block = source.bytes.subarray(from, source.next);
  if (kind === 0x45) {
    if (!sealed(block) || Number(content.whole(8)) !== games.length) throw new Error("the end of the file is damaged");
    if (source.next !== source.bytes.length) throw new Error("there is something after the end of the file");
    return false;
  }
  if (kind !== 0x47) throw new Error("the file is damaged");
  const { rows, cols } = variant.shape;
  const number = content.varint() + 1;
  const bits = content.take(Math.ceil((rows * cols) / 8));
  const cells = Array.from({ length: rows * cols }, (_, i) => ((bits[i >> 3] >> (i & 7)) & 1 ? content.byte() : 0));
  const moves = content.varint();
  const codes = content.take(moves * (rows * cols > NARROW ? 2 : 1));
  const score = content.varint();
  const ending = ENDINGS[content.byte()];
  games.push({ number, moves, score, ending, line: () => lineOf(variant, { rows, cols, cells }, codes, moves, block, number) });
  return true;
}

function lineOf(variant, start, codes, moves, block, number) {
  if (!sealed(block)) throw new Error(`game ${number} is damaged`);
  const line = new Line(variant, start);
  const wide = codes.length > moves;
  for (let i = 0; i < moves; i += 1) {
    const code = wide ? codes[2 * i] | (codes[2 * i + 1] << 8) : codes[i];
    const move = MOVES[code & 3];
    if (!line.slide(move)) throw new Error(`game ${number}, move ${i + 1}: ${move} is not possible there`);
    if (!line.drop(open(line.board)[code >> 3], code & 4 ? 4 : 2)) throw new Error(`game ${number}, move ${i + 1}: there is no such empty cell`);
  }
  line.jump(0);
  return line;
}

/** A recording of one game. A slide whose tile has not fallen is left out: a recording has both. */
export function writeRecording(line, player = "human") {
  const { variant, start, length, pending } = line;
  const plies = length - (pending ? 1 : 0);
  const { board, score } = line.stateAt(plies);
  const given = open(start).length !== start.cells.length - variant.start || start.cells.some((e) => e > 2);
  const head = new Writer();
  head.ascii(MAGIC).put(FORMAT).text(variant.id.replace(/-(?:win|score|moves|survival)(?:-[\d.]+)?$/, "")).text(player);
  head.whole(BigInt(seedOf(line)), 8).put(1, given ? 1 : 0);
  const game = new Writer();
  game.varint(0);
  for (let i = 0; i < start.cells.length; i += 8) game.put(start.cells.slice(i, i + 8).reduce((bits, e, at) => bits | (e > 0 ? 1 << at : 0), 0));
  game.put(...start.cells.filter((e) => e > 0)).varint(plies);
  let now = start;
  for (let i = 0; i < plies; i += 1) {
    const { move, cell, tile } = line.ply(i);
    const after = slide(now, move).board;
    let place = 0;
    for (let at = 0; at < cell; at += 1) if (after.cells[at] === 0) place += 1;
    const code = MOVES.indexOf(move) | (tile === 4 ? 4 : 0) | (place << 3);
    if (start.cells.length > NARROW) game.put(code & 255, code >> 8);
    else game.put(code);
    after.cells[cell] = tile / 2;
    now = after;
  }
  game.varint(score).put(isWon(board, variant.target) ? 1 : legal(board).length === 0 ? 2 : 0);
  return Uint8Array.from([head.seal(), block("G", game.bytes), block("E", new Writer().whole(1n, 8).bytes)].flat());
}

/** The seed whose dice dealt a line, or 0. */
const seedOf = ({ dice }) => (dice?.dealt ? dice.seed : 0);

const block = (kind, content) => new Writer().ascii(kind).whole(BigInt(content.length), 4).append(content).seal();

/** Whether a block ends with its checksum. */
const sealed = (bytes) => new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8).getBigUint64(0, true) === xxh3(bytes.subarray(0, -8));

class Reader {
  constructor(bytes, next) {
    this.bytes = bytes;
    this.next = next;
  }

  take(count) {
    if (this.next + count > this.bytes.length) throw new Error(CUT);
    return this.bytes.subarray(this.next, (this.next += count));
  }

  byte() {
    return this.take(1)[0];
  }

  whole(count) {
    return this.take(count).reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n);
  }

  text() {
    return new TextDecoder().decode(this.take(Number(this.whole(2))));
  }

  varint() {
    for (let n = 0, unit = 1; ; unit *= 128) {
      const byte = this.byte();
      n += (byte & 127) * unit;
      if (byte < 128) return n;
    }
  }

  /** Whether a checksum of everything from a place follows. */
  sealed(from) {
    this.take(8);
    return sealed(this.bytes.subarray(from, this.next));
  }
}

class Writer {
  bytes = [];

  put(...bytes) {
    return this.append(bytes);
  }

  append(bytes) {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  ascii(text) {
    return this.put(...[...text].map((c) => c.charCodeAt(0)));
  }

  whole(n, count) {
    for (let i = 0; i < count; i += 1) this.bytes.push(Number((n >> BigInt(8 * i)) & 255n));
    return this;
  }

  text(text) {
    const bytes = new TextEncoder().encode(text);
    return this.whole(BigInt(bytes.length), 2).put(...bytes);
  }

  varint(n) {
    for (; n >= 128; n = Math.floor(n / 128)) this.bytes.push((n % 128) | 128);
    return this.put(n);
  }

  seal() {
    return this.whole(xxh3(Uint8Array.from(this.bytes)), 8).bytes;
  }
}
