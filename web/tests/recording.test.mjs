// Recorded games, written by the program and read here, and the other way round.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Line } from "../line.js";
import { parseBoard, parseMoves, parseVariant, write } from "../notation.js";
import { isRecording, openRecording, readRecording, writeRecording } from "../recording.js";
import { legal } from "../rules.js";
import { program, tilebase } from "./helpers.mjs";

let folder;
before(() => { folder = mkdtempSync(join(tmpdir(), "tilebase-recording-")); });
after(() => rmSync(folder, { recursive: true, force: true }));

/** Games of the program, as bytes. */
function recorded(...args) {
  const file = join(folder, "games.tb");
  execFileSync(program, ["play", ...args, "--record", file], { stdio: "ignore" });
  return new Uint8Array(readFileSync(file));
}

/** What the program says about a recording. */
function replayed(bytes) {
  const file = join(folder, "page.tb");
  writeFileSync(file, bytes);
  return tilebase("replay", file);
}

test("games of the program are read as they were played", () => {
  // Lengths of all kinds, for checksums of all kinds; the last takes two bytes a move.
  for (const [args, games] of [[["2x2", "--games", "40"], 40], [["3x3", "--to", "64", "--games", "30"], 30], [["4x4", "--games", "5"], 5], [["6x6", "--games", "1"], 1]]) {
    const bytes = recorded(...args, "--player", "random", "--seed", "5");
    assert.ok(isRecording(bytes));
    const recording = openRecording(bytes);
    assert.equal(recording.games.length, games);
    assert.equal(recording.damage, null);
    assert.deepEqual([recording.player, recording.seed, recording.variant.name], ["random", "5", args[0]]);
    for (const { line, moves, score, ending } of recording.games) {
      const game = line();
      assert.equal(game.length, moves);
      game.jump(game.last);
      assert.equal(game.node.score, score);
      assert.equal(ending, game.won ? "won" : "lost");
      assert.ok(game.won || legal(game.board).length === 0);
    }
  }
});

test("the program accepts what is written here", () => {
  const [line] = readRecording(recorded("4x4", "--player", "expectimax", "--depth", "1", "--games", "1", "--seed", "3"));
  assert.ok(line.length > 1000, `${line.length} moves`);
  line.jump(line.last);
  const said = replayed(writeRecording(line));
  assert.equal(said.games, 1);
  assert.equal(said.player, "human");
  const [again] = readRecording(writeRecording(line));
  assert.deepEqual(again.plies(), line.plies());

  const cases = [
    ["2x2-to-16-win", "0x1102", "L3.2R0.4"], ["2x2-to-16-win", "0x1102", "L3.2R"], ["4x4", "0xca73146221310010", "L15.4"],
    ["2x3-to-64-spawn-2:0.5,4:0.5-win", "0x110000", "L5.4"], ["4x4-score", "0x1100000000000000", ""],
  ];
  for (const [id, start, moves] of cases) {
    const variant = parseVariant(id);
    const written = writeRecording(Line.of(variant, parseBoard(start, variant.shape), parseMoves(moves)));
    assert.equal(replayed(written).games, 1, `${id} ${moves}`);
    assert.equal(write(readRecording(written)[0].start), start);
  }
});

test("damage is found, and the games before it are kept", () => {
  const bytes = recorded("3x3", "--player", "random", "--games", "3", "--seed", "1");
  const [first, , third] = openRecording(bytes).games;
  assert.ok(first.line().length > 0);
  const cut = openRecording(bytes.slice(0, -60));
  assert.match(cut.damage, /the end of the file is missing: 2 games could be read/);
  assert.ok(third.moves > 0);
  const spoilt = bytes.slice();
  spoilt[bytes.length - 50] ^= 1;
  const { games } = openRecording(spoilt);
  assert.throws(() => games[2].line(), /game 3 is damaged/);
  assert.doesNotThrow(() => games[1].line());
  const head = bytes.slice();
  head[20] ^= 1;
  assert.throws(() => openRecording(head), /beginning of the recording is damaged/);
  assert.throws(() => openRecording(new TextEncoder().encode("2,4/4,2")), /no recording/);
  assert.throws(() => openRecording(bytes.slice(0, 12)), /end of the file is missing/);
});

test("400 long games are listed at once", () => {
  const bytes = recorded("5x5", "--player", "greedy", "--games", "400", "--seed", "2");
  assert.ok(bytes.length > 300_000, `${bytes.length} bytes`);
  const began = performance.now();
  const { games } = openRecording(bytes);
  const took = performance.now() - began;
  assert.equal(games.length, 400);
  assert.ok(took < 100, `${took} ms`);
  assert.equal(games[399].line().length, games[399].moves);
});
