// Rules, dice and notations of the page, held against the program's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Line } from "../line.js";
import { parseBoard, parseMoves, parseVariant, tiles, words, write, writeMoves } from "../notation.js";
import { brief, chance, error, estimated, grade, lost, small, three, valueText } from "../numbers.js";
import { Dice, legal, outcomes, slide } from "../rules.js";
import { serve, tilebase } from "./helpers.mjs";

let server;
before(async () => { server = await serve(); });
after(() => server.close());

test("lines of tiles slide as in the published cases", () => {
  const rows = readFileSync(new URL("../../tests/data/lines.csv", import.meta.url), "utf8").trim().split("\n").filter((row) => !row.startsWith("#"));
  assert.ok(rows.length > 5);
  for (const row of rows) {
    const [from, to, score] = row.split(",");
    const read = (text) => parseBoard(text.trim().split(/\s+/).map((t) => (t === "." || t === "0" ? "." : t)).join(","));
    const board = read(from);
    const done = slide(board, "left");
    assert.deepEqual(done ? done.board.cells : board.cells, read(to).cells, row);
    assert.equal(done?.score ?? 0, Number(score), row);
  }
});

test("slides and spawns agree with the program", () => {
  const dice = new Dice(5);
  for (let i = 0; i < 12; i += 1) {
    const shape = { rows: 2 + dice.below(3), cols: 2 + dice.below(3) };
    const board = { ...shape, cells: Array.from({ length: shape.rows * shape.cols }, () => dice.below(5)) };
    const answer = tilebase("moves", "--board", tiles(board));
    assert.deepEqual(legal(board), answer.moves.map((m) => m.move), tiles(board));
    for (const m of answer.moves) {
      const done = slide(board, m.move);
      assert.deepEqual(parseBoard(m.afterstate, shape).cells, done.board.cells);
      assert.equal(done.score, Number(m.score));
      const spawned = outcomes(done.board, parseVariant("2x2"));
      assert.deepEqual(spawned.map((o) => [write(o.board), o.tile]), m.outcomes.map((o) => [o.board, o.tile]));
      m.outcomes.forEach((o, at) => assert.ok(Math.abs(o.probability - spawned[at].probability) < 1e-12));
    }
  }
});

test("seeded games are those of the program", async () => {
  for (const [id, seed] of [["2x2-to-16-win", 1], ["2x3-to-64-win", 7], ["2x2-to-16-spawn-2:0.5,4:0.5-win", 3]]) {
    const game = await server.ask(`line?variant=${id}&seed=${seed}&plies=2000`);
    const variant = parseVariant(id);
    const line = new Line(variant, new Dice(seed).deal(variant));
    assert.equal(write(line.start), game.start);
    for (const step of game.moves) {
      assert.equal(write(line.board), step.board);
      assert.ok(line.slide(step.move));
      if (step.cell === null) continue;
      assert.deepEqual(line.fall(seed), { cell: step.cell, tile: step.tile });
      line.drop(step.cell, step.tile);
    }
    assert.equal(write(line.board), game.board);
    assert.equal(line.node.score, game.score);
  }
});

test("boards are read in both notations, and errors are reported", () => {
  const board = parseBoard(" .,2 / 8,4 ");
  assert.deepEqual(board, { rows: 2, cols: 2, cells: [0, 1, 3, 2] });
  assert.deepEqual(parseBoard("0x0132"), board);
  assert.equal(tiles(board), ".,2/8,4");
  assert.equal(write(board), "0x0132");
  assert.equal(write(parseBoard("2^17,.")), "131072,.");
  for (const [text, shape] of [["", null], ["0xzz", null], ["2,3/4,4", null], ["2,2/4", null], ["0x012", null], ["2,2", { rows: 2, cols: 2 }], ["2^101", null]]) {
    assert.throws(() => parseBoard(text, shape), Error, text);
  }
});

test("lines of play are written and read back", () => {
  const plies = [{ move: "left", cell: 7, tile: 2 }, { move: "down", cell: 12, tile: 4 }, { move: "up" }];
  assert.equal(writeMoves(plies), "L7.2D12.4U");
  assert.deepEqual(parseMoves("L7.2D12.4U"), plies);
  assert.deepEqual(parseMoves(""), []);
  assert.throws(() => parseMoves("X"));
  const variant = parseVariant("2x2-to-8");
  const start = parseBoard("2,2/.,.");
  assert.throws(() => Line.of(variant, start, parseMoves("U"), null), /up is not possible/);
  assert.throws(() => Line.of(variant, start, parseMoves("L0.2"), null), /no 2 can appear/);
  const line = Line.of(variant, start, parseMoves("L1.2"), null);
  line.slide("left");
  assert.equal(line.waits, false, "that slide changes nothing");
  line.at = 0;
  line.slide("right");
  assert.equal(line.text, "R", "another move drops what came after");
});

test("numbers have the digits that matter", () => {
  const plain = (text) => text.replaceAll("\u00a0", " ");
  for (const [p, text] of [[0.9957096, "99.571 %"], [0.972775, "97.3 %"], [0.5, "50.0 %"], [0.0123, "1.23 %"], [1 - 4.3e-6, "99.99957 %"], [2.1e-6, "0.00021 %"], [2.1e-9, "2.1×10⁻⁷ %"], [1, "100 %"], [0, "0 %"]]) {
    assert.equal(plain(chance(p)), text);
  }
  assert.equal(plain(chance(1, 4.3e-8)), "99.9999957 %", "what is missing to 1 counts");
  assert.equal(plain(chance(1, 1e-20)), "over 99.999999999999 %");
  assert.equal(plain(estimated(0.9113, 0.02)), "91.1 %");
  assert.equal(plain(estimated(0.99974, 0.0003)), "99.97 %");
  assert.equal(plain(estimated(0.999999, 0.02)), "over 99.9 %");
  assert.equal(plain(estimated(0.000001, 0.02)), "under 0.1 %");
  assert.deepEqual([237_520, 999.6, 12.345, 0.1234].map((x) => plain(three(x))), ["238 000", "1 000", "12.3", "0.123"]);
  assert.deepEqual([237_520, 1_234_567, 4321].map((x) => plain(brief(x))), ["238k", "1.23M", "4 320"]);
  assert.deepEqual([6123, 1432, 0.3].map((x) => plain(error(x))), ["6 000", "1 400", "0.3"]);
  assert.equal(plain(valueText({ value: 68.44 }, "score")), "68.4 points");
  assert.equal(plain(valueText({ value: 68.44 }, null, null)), "68.4", "no unit is made up");
  assert.equal(plain(lost(0.0014, "win")), "−0.140 %");
  assert.equal(small(1.5e-7), "1.50×10⁻⁷");
  assert.equal(grade({ loss: 0, best: true }, 1, "win").name, "best");
  assert.equal(grade({ loss: 0.05, best: false }, 1, "win").name, "mistake");
  assert.equal(grade({ loss: 50, best: false }, 100, "score").name, "blunder");
  assert.equal(grade({ loss: 50, grade: "about_equal" }, 100, "score").word, "about equal");
  assert.equal(words("3x3-to-256-win"), "3x3 to 256");
  assert.equal(words("2x2-score"), "2x2");
});
