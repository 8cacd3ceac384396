// The AI at play: moves are fetched ahead where the server plays whole lines, and shown at any speed.
import { ask } from "./backend.js";
import { large } from "./answers.js";
import { write } from "./notation.js";
import { Dice, legal } from "./rules.js";

/** Moves a second; the last is as fast as it goes. */
export const SPEEDS = [["1", "1 a second"], ["4", "4 a second"], ["15", "15 a second"], ["60", "60 a second"], ["300", "300 a second"]];
/** Up to this speed the AI thinks as long as for a position that is shown, and every value is seen. */
const SLOW = 4;
/** Drawings a second at most. */
const FRAMES = 30;
/** Moves of a line that is fetched: by a table, and by searches. */
const PLIES = 2000;
const AHEAD = 300;

/** Plays on from where a game is. `game` gives `{ line, seed, rule, think(board) }`, `onstep` shows a move,
 * `onstop(error)` hears of the end. */
export class Autoplay {
  constructor({ game, onstep, onstop }) {
    Object.assign(this, { game, onstep, onstop });
    this.rate = SLOW;
    this.ahead = [];
  }

  get playing() {
    return Boolean(this.run);
  }

  /** Whether moves go by too fast to read their values. */
  get hurries() {
    return this.rate > SLOW;
  }

  /** Another speed, now or for the next time. */
  set speed(rate) {
    // Moves of a hasty search are not for those who watch slowly.
    if (rate !== this.rate && this.ahead[0]?.played) this.ahead = [];
    this.rate = rate;
  }

  play(rate) {
    this.speed = rate;
    /** The last position that was thought about. */
    this.answer = null;
    this.run = {};
    this.loop(this.run);
  }

  pause(error = null) {
    if (!this.run) return;
    this.run = null;
    this.onstop(error);
  }

  /** One move. */
  async step() {
    this.pause();
    const mine = (this.run = {});
    try {
      await this.advance(mine);
    } catch (error) {
      if (this.run === mine) this.pause(error);
    }
    if (this.run === mine) this.pause();
  }

  async loop(mine) {
    let began = performance.now();
    let done = 0;
    let drawn = 0;
    try {
      while (this.run === mine) {
        const waited = performance.now();
        const went = await this.advance(mine);
        if (this.run !== mine) return;
        if (!went) return this.pause();
        done += 1;
        const now = performance.now();
        // Time lost to waiting is not made up for in a rush.
        if (now - waited > 250) [began, done] = [now, 1];
        const left = this.rate === Infinity ? 0 : began + (1000 * done) / this.rate - now;
        if (left > 4 || now - drawn >= 1000 / FRAMES) {
          drawn = now;
          this.onstep();
          // The page answers to the user between two drawings.
          await new Promise((resolve) => { setTimeout(resolve, Math.max(left, 0)); });
        }
      }
    } catch (error) {
      if (this.run === mine) this.pause(error);
    }
  }

  /** A move of the game that is there already, or a new one; whether there was one. */
  async advance(mine) {
    const { line, seed, rule } = this.game();
    if (line.waits) return this.fall(line, seed, rule);
    if (line.at + 1 < line.last) {
      line.jump(line.at + 2);
      return true;
    }
    if (legal(line.board).length === 0) return false;
    const from = () => `${line.variant.id} ${write(line.board)} ${rule}`;
    const here = from();
    if (this.ahead.length === 0 || this.ahead.from !== here) this.ahead = Object.assign(await this.think(line, seed, rule), { from: here });
    // The game may have been changed meanwhile.
    if (this.run !== mine || this.game().line !== line || from() !== here) return false;
    const next = this.ahead.shift();
    const { won } = line;
    if (next?.played) this.answer = glimpse(next.played);
    if (!next || !line.slide(next.move)) return false;
    if (rule === "choose") return false;
    if (next.cell === undefined) this.fall(line, seed, rule);
    else line.drop(next.cell, next.tile);
    this.ahead.from = from();
    // The goal is a place to rest.
    if (line.won && !won) this.onstep();
    return !(line.won && !won);
  }

  /** The tile by dice; with any other rule the game itself sees to it. */
  fall(line, seed, rule) {
    if (rule !== "random") return false;
    const { cell, tile } = line.fallen ?? line.fall(seed);
    return line.drop(cell, tile);
  }

  /** The next moves: many where the server plays a line, one where it thinks about a position. */
  async think(line, seed, rule) {
    const { variant, board } = line;
    const { think, solved } = this.game();
    const from = write(board);
    // Lines are searched alone: a position or an advice may wait for its formations to be solved.
    const quick = large(variant) && this.rate > SLOW;
    const depth = this.rate <= 15 ? 2 : 1;
    // In a game that is searched, tiles of a line come by dice.
    const byDice = rule === "random";
    if (quick && !byDice) {
      const { moves } = await ask("line", { variant: variant.id, board: from, plies: 1, depth });
      return moves.map((played) => ({ move: played.move, played: { ...played, depth } }));
    }
    if (rule !== "choose" && (quick || await solved(variant))) {
      // A game that begins by these dice is the program's own; later tiles must not repeat the first ones.
      const whole = line.length === 0 && byDice && write(new Dice(seed).deal(variant)) === from;
      const dice = byDice ? { seed: (BigInt(seed) + BigInt(line.length)) & 0xffffffffffffffffn } : { spawn_rule: rule };
      const length = quick ? { plies: Math.min(Math.max(this.rate, 30), AHEAD), depth } : { plies: PLIES };
      const { moves } = await ask("line", { variant: variant.id, board: whole ? undefined : from, ...length, ...dice });
      const kept = (played) => (quick ? { ...played, depth } : null);
      if (moves.length > 0) return moves.map((played) => ({ move: played.move, cell: played.cell ?? undefined, tile: played.tile, played: kept(played) }));
    }
    const answer = await think(board);
    this.answer = answer;
    return answer.moves.slice(0, 1).map(({ move }) => ({ move }));
  }
}

/** What a move of a line says of its position. */
const glimpse = (played) => ({ ...played, status: "live", exact: false, search: { depth: played.depth }, moves: [played] });
