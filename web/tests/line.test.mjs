// Lines of play: steps back and forth, dice, storage, and games of 20,000 moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Line } from "../line.js";
import { parseBoard, parseVariant, write } from "../notation.js";
import { Dice, legal, put, slide } from "../rules.js";

/** Where even plain play lasts. */
const ROOMY = parseVariant("8x8");
const FOUR = parseVariant("4x4");

/** Plays by dice, the first legal move of a changing order. */
function play(line, plies, seed = 1) {
  const orders = [["left", "down", "right", "up"], ["down", "left", "right", "up"]];
  for (let i = 0; i < plies; i += 1) {
    const move = orders[i % 2].find((name) => slide(line.board, name));
    if (!move) return line;
    line.slide(move);
    const { cell, tile } = line.fall(seed);
    line.drop(cell, tile);
  }
  return line;
}

const fresh = (variant, seed = 1) => new Line(variant, new Dice(seed).deal(variant));

/** Every board of a line, found by playing it from its start. */
function replay(line) {
  let { start: board } = line;
  const boards = [board];
  for (const { move, cell, tile } of line.plies()) {
    const done = slide(board, move);
    boards.push(done.board);
    if (cell === undefined) break;
    boards.push((board = put(done.board, cell, Math.log2(tile))));
  }
  return boards;
}

test("every place of a line has the board that play gives", () => {
  const line = play(fresh(FOUR), 100);
  line.slide(legal(line.board)[0]);
  const boards = replay(line);
  assert.equal(boards.length, line.last + 1);
  // In an order that nothing kept helps with.
  for (let i = 0; i < boards.length; i += 1) {
    const at = (i * 37) % boards.length;
    line.jump(at);
    assert.deepEqual(line.board, boards[at], `place ${at}`);
    assert.equal(line.node.ply, Math.ceil(at / 2));
    assert.equal(line.waits, at % 2 === 1);
  }
  assert.equal(line.stateOf(50), 100);
  assert.equal(line.stateOf(line.length), -1, "the last tile has not fallen");
});

test("a step back and the same move give the same tile; another move gives what the dice say there", () => {
  const line = play(fresh(FOUR), 60);
  const before = line.pack();
  line.jump(40);
  const { move, cell, tile } = line.ply(20);
  assert.ok(line.slide(move));
  assert.deepEqual(line.fallen, { cell, tile });
  assert.deepEqual(line.fall(1), { cell, tile });
  assert.deepEqual(line.fall(1), { cell, tile }, "asked twice");
  line.drop(cell, tile);
  assert.equal(line.length, 60, "the rest is still there");
  line.jump(120);
  assert.equal(line.pack(), before);

  line.jump(40);
  const other = legal(line.board).find((name) => name !== move);
  line.slide(other);
  assert.equal(line.fallen, null);
  const [fell, again] = [line.fall(1), () => {
    const short = Line.of(FOUR, line.start, line.plies(0, 20));
    short.slide(other);
    return short.fall(1);
  }];
  assert.deepEqual(fell, again());
  line.drop(fell.cell, fell.tile);
  assert.equal(line.length, 21);
  play(line, 30);
  assert.deepEqual(line.board, replay(line).at(-1));
});

test("a line that other dice dealt gets its tiles at once, and the same again", () => {
  const line = play(fresh(FOUR), 100);
  line.jump(80);
  line.slide(line.ply(40).move);
  const fell = line.fall(9);
  assert.deepEqual(line.fall(9), fell);
  assert.equal(line.board.cells[fell.cell], 0);
  assert.equal(line.dice.rolled, 0, "nothing was thrown for the plies before");
  // Not the same at every ply.
  const tiles = new Set(Array.from({ length: 30 }, (_, i) => {
    line.jump(2 * i + 1);
    return JSON.stringify(line.fall(9));
  }));
  assert.ok(tiles.size > 5, [...tiles].join());
});

test("a line goes on when the target is reached", () => {
  const line = new Line(parseVariant("2x2-to-8"), parseBoard("4,4/.,2"));
  assert.ok(line.slide("left"));
  assert.ok(line.won && line.waits);
  assert.ok(line.drop(1, 2));
  assert.ok(line.slide("down") || line.slide("right"));
  assert.ok(line.won);
  assert.ok(!line.drop(0, 8), "only 2 and 4 fall");
});

test("a packed line comes back as it was", () => {
  for (const [id, plies] of [["4x4", 200], ["2x2-to-16-win", 5], ["6x6", 300], ["3x3-to-64-spawn-2:0.5,4:0.5-win", 30]]) {
    const line = play(fresh(parseVariant(id)), plies);
    line.jump(line.last - 3);
    const back = Line.unpack(line.pack());
    assert.equal(back.at, line.at);
    assert.equal(write(back.board), write(line.board));
    assert.deepEqual(back.plies(), line.plies());
    assert.equal(back.node.score, line.node.score);
    line.slide(line.ply(line.node.ply)?.move ?? legal(line.board)[0]);
    line.cut();
    assert.equal(Line.unpack(line.pack()).pending, true);
  }
  const packed = play(fresh(FOUR), 100).pack();
  assert.match(packed, /^1\.[\w-]+$/);
  assert.ok(packed.length < 180, `${packed.length} characters`);
  assert.throws(() => Line.unpack(packed.slice(0, -30)), /end of the saved game is missing/);
  assert.throws(() => Line.unpack("9.AAAA"), /version/);
  assert.throws(() => Line.unpack("1.%%%"), /characters/);
  const broken = `${packed.slice(0, 60)}AAAAAA${packed.slice(66)}`;
  assert.throws(() => Line.unpack(broken), /^Error: move \d+: /);
});

test("two lines share their first plies", () => {
  const line = play(fresh(FOUR), 50);
  const copy = line.copy();
  assert.equal(line.shared(copy), 50);
  line.jump(60);
  line.slide(legal(line.board).find((move) => move !== line.ply(30).move));
  assert.equal(line.shared(copy), 30);
  assert.equal(copy.length, 50, "the copy stays as it was");
  assert.equal(line.shared(new Line(parseVariant("4x4-to-2048"), line.start)), 0);
});

test("twenty thousand plies: steps, undo, dice, text", () => {
  const line = play(fresh(ROOMY, 3), 20_000, 3);
  assert.equal(line.length, 20_000, "the game is that long");
  // Milliseconds of the processor, so that other tests beside this one do not count.
  const time = (run, times) => {
    const began = process.cpuUsage();
    for (let i = 0; i < times; i += 1) run(i);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000 / times;
  };
  // Generous for a slow machine: what recomputes the game takes a hundred times as long.
  assert.ok(time(() => { line.jump(line.at - 1); return line.node; }, 200) < 1, "a step back");
  const again = time(() => {
    const { move } = line.ply(line.node.ply);
    line.jump(2 * line.node.ply);
    line.slide(move);
    const { cell, tile } = line.fall(3);
    line.drop(cell, tile);
  }, 99);
  assert.ok(again < 2, `a step by dice takes ${again} ms`);
  assert.equal(line.length, 20_000, "the same tiles fell");
  const packing = time(() => line.pack(), 5);
  assert.ok(packing < 15, `packing takes ${packing} ms`);
  const bytes = line.codes.byteLength + line.kept.length * 64 * 8;
  assert.ok(bytes < 2_000_000, `${bytes} bytes`);
});
