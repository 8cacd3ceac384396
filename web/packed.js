// A line of play as text that storage and addresses can hold.
import { parseVariant } from "./notation.js";

/** Shapes with more cells take two bytes a ply. */
export const NARROW = 32;

/** The format; a change that old pages cannot read gets another. */
const VERSION = "1.";

/** The parts of a line as text. `codes` are its plies, a number each. */
export function encode({ variant, start, at, pending, codes }) {
  const name = new TextEncoder().encode(variant.id);
  const head = [pending ? 1 : 0, name.length, ...name, ...start.cells, ...varint(at), ...varint(codes.length)];
  const body = codes instanceof Uint8Array ? codes : new Uint8Array([...codes].flatMap((code) => [code & 255, code >> 8]));
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return VERSION + toText(bytes);
}

/** The parts of a line from its text. */
export function decode(text) {
  if (!text.startsWith(VERSION)) throw new Error("the saved game is of a version that this page does not know");
  const bytes = fromText(text.slice(VERSION.length));
  let next = 0;
  const take = (count) => {
    if (next + count > bytes.length) throw new Error("the end of the saved game is missing");
    return bytes.subarray(next, (next += count));
  };
  const number = () => {
    for (let n = 0, shift = 1; ; shift *= 128) {
      const [byte] = take(1);
      n += (byte & 127) * shift;
      if (byte < 128) return n;
    }
  };
  const [flags, long] = take(2);
  const variant = parseVariant(new TextDecoder().decode(take(long)));
  const { rows, cols } = variant.shape;
  const start = { rows, cols, cells: [...take(rows * cols)] };
  const [at, length] = [number(), number()];
  const wide = rows * cols > NARROW;
  const body = take(length * (wide ? 2 : 1));
  const codes = wide ? Uint16Array.from({ length }, (_, i) => body[2 * i] | (body[2 * i + 1] << 8)) : body;
  return { variant, start, at, pending: (flags & 1) === 1, codes };
}

function varint(n) {
  const bytes = [];
  for (; n >= 128; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
  return [...bytes, n];
}

function toText(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromText(text) {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    throw new Error("the saved game has characters that do not belong there");
  }
}
