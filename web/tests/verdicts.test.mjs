// Verdicts of a review, and the notebook's entries, without a browser.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Line } from "../line.js";
import { parseVariant } from "../notation.js";
import { Dice, slide } from "../rules.js";
import { GRADES, Verdicts } from "../verdicts.js";

const memory = new Map();
globalThis.localStorage = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => memory.set(key, value),
};
const { addNotes, answered, due, exportNotes, importNotes, notes, removeNote } = await import("../notes.js");
const DAY = 86_400_000;

const FOUR = parseVariant("4x4");

function game(plies) {
  const line = new Line(FOUR, new Dice(1).deal(FOUR));
  for (let i = 0; i < plies; i += 1) {
    line.slide(["left", "down", "right", "up"].find((move) => slide(line.board, move)));
    const { cell, tile } = line.fall(1);
    line.drop(cell, tile);
  }
  return line;
}

/** An answer about moves with these grades. */
function answer(grades, chances = { 2048: 0.9, 4096: 0.4 }, accuracy = 80) {
  const loss = (grade) => 10 * GRADES.indexOf(grade);
  return {
    objective: "score", unit: "points", accuracy, value: 50, chances,
    moves: grades.map((grade) => ({ grade, loss: loss(grade), best: "up", before: { value: 100 }, outlook_before: { chances }, source: "estimate" })),
  };
}
const gradeOf = ({ grade }) => grade;

test("verdicts are counted, ranked and weighted by moves", () => {
  const line = game(12);
  const verdicts = new Verdicts();
  verdicts.add(line, answer(["best", "mistake", "about_equal"], undefined, 70), gradeOf);
  verdicts.add(line, answer(["inaccuracy", "blunder", "best", "best", "slight", "best"], undefined, 100), gradeOf);
  assert.equal(verdicts.count, 9);
  assert.equal(verdicts.accuracy, (3 * 70 + 6 * 100) / 9);
  assert.deepEqual(verdicts.tally(), [4, 1, 1, 1, 1, 1]);
  assert.deepEqual(verdicts.mistakes(), [1, 3, 4]);
  assert.deepEqual(verdicts.worst(5), [4, 1, 3, 7]);
  assert.deepEqual(verdicts.grave(5), [4, 1]);
  assert.deepEqual(verdicts.move(4), { ply: 4, grade: "blunder", loss: 50, best: "up", value: 100 });
  assert.equal(verdicts.grade(9), null);
});

test("where nothing is worse, slight losses are worth a look", () => {
  const verdicts = new Verdicts();
  verdicts.add(game(3), answer(["best", "slight", "best"]), gradeOf);
  assert.deepEqual(verdicts.mistakes(), [1]);
});

test("a tile that was made has a chance of 1", () => {
  const verdicts = new Verdicts();
  const line = game(6);
  verdicts.add(line, answer(["best", "best", "best"]), gradeOf);
  verdicts.add(line, answer(["best", "best"], { 4096: 0.5, 8192: 0.1 }), gradeOf);
  assert.equal(verdicts.chances.get(2048)[0], Math.fround(0.9));
  assert.equal(verdicts.chances.get(2048)[3], 1);
  assert.ok(Number.isNaN(verdicts.chances.get(8192)[0]));
});

test("only whole chunks that a changed line shares are kept", () => {
  const line = game(30);
  const verdicts = new Verdicts();
  for (let i = 0; i < 3; i += 1) verdicts.add(line, answer(new Array(10).fill("best")), gradeOf);
  verdicts.adopt(line);
  assert.equal(verdicts.count, 30);
  const dump = verdicts.dump();
  line.jump(2 * 17);
  line.slide(["left", "down", "right", "up"].find((move) => move !== line.ply(17).move && slide(line.board, move)));
  verdicts.adopt(line);
  assert.equal(verdicts.count, 10);
  assert.ok(Number.isNaN(verdicts.values[11]) && !Number.isNaN(verdicts.values[10]));

  const again = new Verdicts();
  again.restore(structuredClone(dump), game(30));
  assert.equal(again.count, 30);
  assert.deepEqual(again.tally(), [30, 0, 0, 0, 0, 0]);
  assert.equal(again.accuracy, 80);
  const part = new Verdicts();
  part.restore(structuredClone(dump), line);
  assert.equal(part.count, 10);
  const other = new Verdicts();
  other.restore(structuredClone(dump), new Line(FOUR, new Dice(2).deal(FOUR)));
  assert.equal(other.count, 0);
  verdicts.adopt(new Line(FOUR, new Dice(2).deal(FOUR)));
  assert.equal(verdicts.count, 0);
});

const NOTE = { variant: "2x2-to-16-win", board: "0x1102", played: "down", best: "left", loss: 0.1 };

beforeEach(() => notes().forEach((note) => removeNote(note)));

test("a right answer puts a note off, a wrong one brings it back", () => {
  const now = 1e12;
  assert.equal(addNotes([NOTE, { ...NOTE }], now), 1, "once");
  assert.equal(due(now).length, 1);
  answered(notes()[0], true, now);
  assert.equal(due(now).length, 0);
  assert.equal(due(now + DAY).length, 1);
  answered(notes()[0], true, now + DAY);
  assert.equal(due(now + 3 * DAY).length, 0);
  assert.equal(notes()[0].box, 2);
  answered(notes()[0], false, now + 5 * DAY);
  assert.equal(notes()[0].box, 0);
  assert.equal(due(now + 5 * DAY).length, 1);
});

test("notes go to a file and back, and bad files are refused", () => {
  addNotes([NOTE, { ...NOTE, board: "0x1112", best: null }]);
  const file = exportNotes();
  removeNote(NOTE);
  assert.equal(notes().length, 1);
  assert.equal(importNotes(file), 1);
  assert.equal(importNotes(file), 0, "nothing twice");
  for (const bad of [{ ...NOTE, board: "0x11" }, { ...NOTE, played: "north" }, { ...NOTE, box: 99, due: 1 }, { ...NOTE, variant: "q" }, null]) {
    assert.throws(() => importNotes(JSON.stringify({ notes: [bad] })), /note 1 of the file cannot be read/);
  }
  assert.throws(() => importNotes("{"), /not JSON/);
  assert.throws(() => importNotes("3"), /no list of notes/);
});

test("the notebook has an end: what is known best goes first", () => {
  const board = (i) => `0x${i.toString(8).padStart(16, "0")}`;
  addNotes(Array.from({ length: 1000 }, (_, i) => ({ ...NOTE, variant: "4x4", board: board(i), box: i === 500 ? 5 : 0, due: 0, date: i })));
  assert.equal(notes().length, 1000);
  addNotes([NOTE]);
  assert.equal(notes().length, 1000);
  assert.ok(!notes().some((note) => note.board === board(500)));
  assert.equal(notes()[0].board, NOTE.board, "the newest is the first");
});
