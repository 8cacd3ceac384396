// Compares the answers of the engine with those of a server, path by path: node answers.mjs WASM
// PROGRAM, where WASM holds the build node, and PROGRAM is tilebase. Every digit counts.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [wasm, program, network] = process.argv.slice(2).map((path) => resolve(path));
const { Dice, Service, Rules } = createRequire(import.meta.url)(`${wasm}/node/tilebase_wasm.js`);
/** As few answers as this would be no comparison. */
const AT_LEAST = 2000;

const server = spawn(program, ["serve", "--port", "0", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
process.on("exit", () => server.kill());
const [line] = await new Promise((resolve) => createInterface({ input: server.stdout }).once("line", (...lines) => resolve(lines)));
const { address } = JSON.parse(line);

const service = new Service();
service.loadNetwork(readFileSync(network));
const compared = {};

/** An answer without times and sizes in memory, which depend on the machine, and without the larger formations that a
 * browser does not solve on demand. */
function timeless(text) {
  return text.replace(/"(bytes_per_node|per_second|seconds|seconds_left)":[^,}]*/g, '"$1":0')
    .replace(/,"4x4-to-\d+-formation-\w+-win"(?=[,\]])/g, "");
}

async function served(path, options) {
  const response = await fetch(`${address}api/v1/${path}`, options);
  return { status: response.status, media: response.headers.get("content-type"), body: await response.text() };
}

async function same(name, here, there) {
  assert.deepEqual({ ...here, body: timeless(here.body) }, { ...there, body: timeless(there.body) }, name);
  compared[name] = (compared[name] ?? 0) + 1;
}

async function ask(path, query) {
  const text = new URLSearchParams(query).toString();
  await same(path, service.ask(path, text), await served(`${path}?${text}`));
}

async function send(path, body) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  await same(path, service.send(path, text), await served(path, { method: "POST", headers, body: text }));
}

/** The boards, moves and tiles of a game by dice. */
function game(shape, seed) {
  const rules = new Rules(shape);
  const dice = Dice.forGame(BigInt(seed), 0n);
  const boards = [rules.start(dice)];
  const afterstates = [];
  const moves = [];
  while (!rules.isLost(boards.at(-1))) {
    const board = boards.at(-1);
    const legal = rules.legalMoves(board);
    const move = legal[dice.below(legal.length)];
    const { afterstate } = rules.slide(board, move);
    const next = rules.spawn(afterstate, dice);
    const cells = [...rules.tiles(afterstate)].map((tile, cell) => [cell, tile, rules.tiles(next)[cell]]);
    const [cell, , tile] = cells.find(([, before, then]) => before !== then);
    boards.push(next);
    afterstates.push(afterstate);
    moves.push({ move, cell, tile });
  }
  rules.free();
  return { boards, afterstates, moves };
}

const VARIANTS = [
  "2x2-to-16", "2x2-to-32-win", "2x2-score", "2x2-to-16-moves", "2x2-to-16-win-0.9", "2x2-to-32-survival",
  "2x3-to-64", "2x4-to-64", "3x3-to-32-win", "3x3-to-64", "3x3-to-64-score", "2x2-to-16-spawn-2:1",
];
for (const variant of VARIANTS) {
  const shape = variant.slice(0, 3);
  for (let seed = 0; seed < 8; seed++) {
    const { boards, afterstates, moves } = game(shape, seed);
    for (const board of boards.filter((_, at) => at % 2 === seed % 2)) await ask("position", { variant, board });
    for (const afterstate of afterstates.slice(0, 12)) await ask("spawns", { variant, afterstate });
    for (const spawn_rule of ["random", "best", "worst"]) await ask("line", { variant, seed, spawn_rule });
    await send("positions", { variant, boards });
    // Random games may go on after the win, where a search takes over: both must say the same.
    for (const plies of [1, 5, moves.length]) await send("verdicts", { variant, start: boards[0], moves: moves.slice(0, plies) });
  }
}
const { boards: open, moves: played } = game("4x4", 1);
for (const variant of ["4x4", "4x4-to-2048", "4x4-to-64-moves", "4x4-spawn-2:0.5,4:0.5"]) {
  for (const board of open.slice(0, 8)) await ask("position", { variant, board, depth: 2 });
  await send("positions", { variant, boards: [...open.slice(0, 8), "zebra"] });
}
for (const variant of ["4x4", "4x4-to-64"]) await send("verdicts", { variant, start: open[0], moves: played.slice(0, 40) });
for (const board of open.slice(0, 40)) await ask("advice", { board, depth: 2 });
for (const board of open.slice(40, 46)) await ask("advice", { board });
for (const board of game("3x4", 1).boards.slice(0, 20)) await ask("position", { variant: "3x4-to-2048", board, search: true });
for (const [shape, to, rule] of [["3x3", 64, "first"], ["4x4", 128, "best"], ["4x4", 64, "random"], ["5x5", 64, "first"], ["2x2", 8, "worst"], ["2x3", 16, "worst"]]) {
  await ask("plan", { shape, to, spawn_rule: rule });
}
for (const [shape, to, drops] of [["2x2", 8, "2"], ["2x2", 16, "2,4"], ["2x3", 32, "2"], ["3x3", 32, "2,4"], ["3x3", 64, "2"]]) {
  await ask("strategy", { shape, to, drops });
  for (const board of game(shape, 3).boards.slice(0, 10)) await ask("strategy", { shape, to, drops, board });
}
for (const variant of ["2x2-to-8", "2x2-to-16", "2x2-to-32", "3x3-to-64"]) {
  await ask("diagram", { variant });
  await ask("diagram", { variant, policy: true });
}
await ask("variants", {});

// Errors have the same words.
for (const [path, query] of [
  ["position", {}], ["position", { variant: "2x2-to-16" }], ["position", { variant: "2x2-to-16", board: "zebra" }],
  ["position", { variant: "2x2-to-16", board: "0x0000", search: "perhaps" }], ["position", { variant: "4x4-to-2048", board: "0x0" }],
  ["position", { variant: "../x", board: "0x0000" }], ["line", { variant: "2x2-to-16", plies: 100000 }], ["plan", { to: 64 }],
  ["strategy", { shape: "9x9", to: 64 }], ["advice", { board: "0x0012", shape: "2x2", depth: 60 }], ["nothing", {}], ["verdicts", {}],
]) await ask(path, query);
for (const [path, body] of [
  ["positions", "{"], ["positions", { variant: "2x2-to-16", boards: Array(1001).fill("0x0000") }],
  ["verdicts", { variant: "2x2-to-16", start: "0x1100", moves: [{ move: "north" }] }], ["variants", {}],
]) await send(path, body);

// Jobs: the same at the beginning and at the end, layer by layer.
const headers = { "content-type": "application/json" };
for (const body of [
  { kind: "count", shape: "2x3", to: 32 }, { kind: "count", variant: "3x3-to-64" }, { kind: "solve", shape: "2x3", to: 32 },
  { kind: "solve", variant: "2x4-to-128-win" }, { kind: "solve", variant: "3x3-to-32" }, { kind: "solve", shape: "4x4", to: 2048 },
  { kind: "solve" }, { kind: "solve", variant: "nothing" }, { kind: "solve", variant: "2x2-to-16", to: 8 },
  { kind: "count", shape: "2x2", to: 8, objective: "win" },
]) {
  const text = JSON.stringify(body);
  const begun = await served("jobs", { method: "POST", headers, body: text });
  const id = JSON.parse(begun.body).id ?? 0;
  const job = service.job(id, text);
  const begin = job.answer;
  if (begun.status >= 400) {
    // What is allowed is a matter of the machine.
    if (!begun.body.includes("too large for a job")) await same("jobs", begin, begun);
    assert.equal(begin.status, begun.status);
    continue;
  }
  assert.equal(begin.status, begun.status);
  let heard = 0;
  job.run(() => heard++);
  let end;
  do end = await served(`jobs/${id}`);
  while (/"state":"(waiting|running)"/.test(end.body));
  await same("jobs", { ...job.answer, status: 200 }, end);
  const table = job.table();
  if (table) {
    const other = new Service();
    other.adopt(table, false);
    assert(other.has(job.makes) && !other.has("2x2-to-8"));
    const start = JSON.parse(other.ask("line", `variant=${job.makes}`).body).start;
    assert.equal(JSON.parse(other.ask("position", `variant=${job.makes}&board=${start}`).body).source, "table");
    assert.throws(() => other.adopt(table.slice(0, -1), false), /truncated/);
  }
}

const total = Object.values(compared).reduce((sum, count) => sum + count, 0);
for (const [name, count] of Object.entries(compared)) console.log(`${String(count).padStart(6)}  ${name}`);
assert(total >= AT_LEAST, `only ${total} answers were compared`);
console.log(`${total} answers of the engine are those of the server`);
process.exit(0);
