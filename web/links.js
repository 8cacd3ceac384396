// Addresses of positions and games: #analyse?game=4x4-to-2048&board=0x…, or start= and moves= for a short game.
import { Line } from "./line.js";
import { parseBoard, parseMoves, parseVariant, write } from "./notation.js";
import { Dice, seedOf } from "./rules.js";

/** Games with more moves are files, not links. */
export const LINKED = 200;

/** The line that an address asks for, or null if it asks for none. Fails with what is wrong and where. `variant`
 * is what older links call `game`. */
export function readLink(asked) {
  const part = (name, work) => {
    try {
      return work(asked.get(name));
    } catch (error) {
      throw new Error(`${name}=${shorten(asked.get(name))}: ${error.message}`);
    }
  };
  const named = asked.has("game") ? "game" : "variant";
  if (![named, "board", "start"].some((name) => asked.has(name))) return null;
  const variant = asked.has(named) ? part(named, parseVariant) : parseVariant("4x4");
  const seed = asked.has("seed") ? part("seed", seedOf) : null;
  const first = asked.has("board") ? "board" : "start";
  const start = asked.has(first) ? part(first, (text) => parseBoard(text, variant.shape)) : new Dice(seed ?? 0).deal(variant);
  const at = asked.has("at") ? part("at", placeOf) : null;
  const line = part("moves", (text) => Line.of(variant, start, parseMoves(text ?? ""), at));
  return { line, seed };
}

const shorten = (text) => (text?.length > 40 ? `${text.slice(0, 37)}…` : text ?? "");

function placeOf(text) {
  if (!/^\d{1,6}$/.test(text)) throw new Error("a place in the game is a whole number from 0");
  return Number(text);
}

/** The address of the position that a line shows. */
export const positionLink = (line) => `#analyse?game=${line.variant.id}&board=${write(line.board)}`;

/** The address of a whole game, or of the position if the game is long. */
export function gameLink(line) {
  if (line.length === 0 || line.length > LINKED) return positionLink(line);
  const at = line.at < line.last ? `&at=${line.at}` : "";
  return `#analyse?game=${line.variant.id}&start=${write(line.start)}&moves=${line.text}${at}`;
}
