// Compares the builds with the native engine: node node.mjs WASM PAGE, where WASM holds the
// builds node and web and, in answers, what the example `answers` wrote, and PAGE is
// docs/wasm.md, whose example is run. Numbers are compared by Object.is: every bit counts.

import assert from "node:assert/strict";
import { createReadStream, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [wasm, page] = process.argv.slice(2).map((path) => resolve(path));
const answers = `${wasm}/answers`;
const built = createRequire(import.meta.url)(`${wasm}/node/tilebase_wasm.js`);
const { Dice, Engine, Policy, Rules } = built;

const MOVES = ["left", "right", "up", "down"];
/** As few positions as this would be no comparison. */
const AT_LEAST = 5000;

const weights = readFileSync(`${answers}/weights.network`);
const policy = Policy.load(readFileSync(`${answers}/policy.bin`));

const engines = new Map();
function engine({ shape, spawn, evaluation }) {
  const name = `${shape} ${spawn} ${evaluation}`;
  if (!engines.has(name)) {
    const made = new Engine(shape, spawn);
    if (evaluation === "network") made.loadNetwork(weights);
    assert.deepEqual([made.shape, made.spawnRule, made.evaluation], [shape, spawn, evaluation]);
    engines.set(name, made);
  }
  return engines.get(name);
}

const checks = {
  advise(line) {
    assert.deepEqual(engine(line).advise(line.board, line.options) ?? null, line.advice);
  },
  policy(line) {
    assert.deepEqual(policy.lookup(line.board) ?? null, line.best);
    assert.equal(policy.variant, line.variant);
    assert.equal(policy.objective, line.objective);
    assert.equal(policy.size, line.size);
  },
  rules(line) {
    const rules = new Rules(line.shape);
    assert.deepEqual(MOVES.map((move) => rules.slide(line.board, move)), line.slides);
    assert.deepEqual(rules.legalMoves(line.board), line.legal);
    assert.equal(rules.isLost(line.board), line.lost);
    assert.deepEqual(rules.spawns(line.board), line.spawns);
    assert.equal(rules.hex(line.text), line.board);
    const values = line.text.split(/[,/]/).map((cell) => (cell === "." ? 0 : Number(cell)));
    assert.deepEqual([...rules.tiles(line.board)], values);
    rules.free();
  },
  game(line) {
    const rules = new Rules(line.shape);
    const dice = Dice.forGame(BigInt(line.seed), BigInt(line.game));
    let board = rules.start(dice);
    const boards = [board];
    let score = 0;
    while (!rules.isLost(board)) {
      const slide = rules.slide(board, rules.legalMoves(board)[0]);
      score += slide.score;
      board = rules.spawn(slide.afterstate, dice);
      boards.push(board);
    }
    assert.deepEqual(boards, line.boards);
    assert.equal(score, line.score);
  },
};

const compared = {};
const began = performance.now();
for await (const text of createInterface({ input: createReadStream(`${answers}/answers.jsonl`) })) {
  const line = JSON.parse(text);
  try {
    checks[line.kind](line);
  } catch (error) {
    console.error(`differs from the native answer: ${text}`);
    throw error;
  }
  const name = [line.kind, line.evaluation, line.shape].filter(Boolean).join(" ");
  compared[name] = (compared[name] ?? 0) + 1;
}

// Wrong arguments are errors of one line.
const four = engine({ shape: "4x4", spawn: "2:0.9,4:0.1", evaluation: "smooth" });
const BOARD = "0x0000000000000012";
const wrong = [
  [() => new Rules("5x5"), /at most 4x4/],
  [() => new Rules("four"), /four/],
  [() => new Rules("4x4", "2:0.5"), /add up to/],
  [() => new Rules("4x4").slide(BOARD, "north"), /invalid move/],
  [() => new Rules("4x4").slide("0x12", "left"), /hex digits/],
  [() => new Rules("4x4").slide("0xff00000000000000", "left"), /65536/],
  [() => new Engine("2x2").loadNetwork(weights), /for 4x4, not 2x2/],
  [() => four.loadNetwork(new Uint8Array(4)), /TBTUPLES/],
  [() => four.advise("0x", {}), /hex digits/],
  [() => four.advise(BOARD, { deep: 3 }), /unknown option 'deep'/],
  [() => four.advise(BOARD, { depth: "3" }), /depth is no number/],
  [() => four.advise(BOARD, { depth: 0 }), /1 to 60/],
  [() => four.advise(BOARD, { depth: 3, positions: 9 }), /both depth and positions/],
  [() => four.advise(BOARD, { cutoff: 1 }), /not including, 1/],
  [() => four.advise(BOARD, 3), /no object/],
  [() => four.adviseUntil(BOARD, NaN), /milliseconds/],
  [() => Policy.load(new Uint8Array(3)), /TBPOLICY/],
  [() => policy.lookup("0x1"), /hex digits/],
];
for (const [call, message] of wrong) {
  assert.throws(call, (error) => {
    assert(error instanceof Error && !error.message.includes("\n"), `${error}`);
    assert.match(error.message, message);
    return true;
  });
}

// A search for a time is the search to the depth it got to, and ends about then.
for (const board of [BOARD, "0x0123456789ab2121", "0x1212212112122121"]) {
  const start = performance.now();
  const advice = four.adviseUntil(board, 50);
  assert(performance.now() - start < 2000, "a search for 50 ms took more than 2 s");
  assert.deepEqual(advice, advice && four.advise(board, { depth: advice.depth }));
}

// The build for a page is the same engine. Node does not take its file for a module by its
// name, so it is handed over as text.
const text = readFileSync(`${wasm}/web/tilebase_wasm.js`).toString("base64");
const web = await import(`data:text/javascript;base64,${text}`);
await web.default({ module_or_path: readFileSync(`${wasm}/web/tilebase_wasm_bg.wasm`) });
const board = "0x0123456789ab2121";
assert.deepEqual(new web.Engine("4x4").advise(board), four.advise(board));

// The example in the docs.
const example = /```js\n(.*?)```/s.exec(readFileSync(page, "utf8"))[1];
new Function("require", example)((name) => (name.endsWith("/tilebase_wasm.js") ? built : assert));

const total = Object.values(compared).reduce((sum, count) => sum + count, 0);
for (const [name, count] of Object.entries(compared)) console.log(`${String(count).padStart(6)}  ${name}`);
assert(total >= AT_LEAST, `only ${total} positions were compared`);
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(`${total} answers and ${wrong.length} errors as they should be, in ${seconds} s`);
