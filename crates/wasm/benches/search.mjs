// How fast the build for Node searches: node search.mjs WASM, after the example `answers
// WASM/answers --time`, which says the same of the native engine for the same positions.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const wasm = resolve(process.argv[2]);
const { Dice, Engine, Rules } = createRequire(import.meta.url)(`${wasm}/node/tilebase_wasm.js`);

const [SEED, GAMES, ROUNDS] = [2048n, 300, 5];

const rules = new Rules("4x4");
/** The position in the middle of a game of first legal moves. */
function middle(game) {
  const dice = Dice.forGame(SEED, BigInt(game));
  const boards = [];
  for (let board = rules.start(dice); !rules.isLost(board); ) {
    boards.push(board);
    board = rules.spawn(rules.slide(board, rules.legalMoves(board)[0]).board, dice);
  }
  return boards[Math.floor(boards.length / 2)];
}

const boards = Array.from({ length: GAMES }, (_, game) => middle(game));
const engine = new Engine("4x4");
function report() {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (const board of boards) engine.advise(board, { depth: 3 });
    best = Math.min(best, performance.now() - began);
  }
  console.log(`wasm ${engine.evaluation}: ${((1000 * GAMES) / best).toFixed(0)} searches a second`);
}
report();
engine.loadNetwork(readFileSync(`${wasm}/answers/weights.network`));
report();
