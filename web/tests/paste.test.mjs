// What people paste: boards and games in many forms, and what is said about those that are wrong.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Line } from "../line.js";
import { parseBoard, parseVariant, tiles, write } from "../notation.js";
import { read } from "../paste.js";
import { Dice, slide } from "../rules.js";

/** The two boards that players asked about. */
const FIRST = "4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.";
const SECOND = "4,2,4,8/2,8,128,16/4,32,4,2/8,64,8,2";
const HEX = "0xca73146221310010";

/** Asserts that texts give a board. */
function same(board, texts) {
  for (const [name, text, current] of texts) {
    const found = read(text, current ? parseVariant(current) : null);
    assert.ok(found.board, `${name}: a board, not ${found.line?.text}`);
    assert.equal(tiles(found.board), board, name);
  }
}

/** Asserts what is said about texts. */
function wrong(cases) {
  for (const [text, pattern, current] of cases) assert.throws(() => read(text, current ? parseVariant(current) : null), { message: pattern }, text);
}

describe("boards", () => {
  test("our own notations", () => same(FIRST, [
    ["values", FIRST],
    ["spaces around", " 4096, 1024, 128, 8 / 2, 16, 64, 4 / 4, 2, 8, 2 / ., ., 2, .\n"],
    ["hex", HEX],
    ["hex without 0x", "ca73146221310010"],
    ["hex in groups", "0xca73 1462 2131 0010"],
    ["hex with underscores", "0xca73_1462_2131_0010"],
    ["hex in rows", "ca73/1462/2131/0010"],
    ["hex in lines", "ca73\n1462\n2131\n0010"],
    ["capitals", "0XCA73146221310010"],
  ]));

  test("the second board", () => same(SECOND, [
    ["values", SECOND],
    ["lines", "4 2 4 8\n2 8 128 16\n4 32 4 2\n8 64 8 2"],
    ["hex", "2123137425213631"],
  ]));

  test("sixteen values with anything between", () => same(FIRST, [
    ["commas", "4096,1024,128,8,2,16,64,4,4,2,8,2,0,0,2,0"],
    ["commas and spaces", "4096, 1024, 128, 8, 2, 16, 64, 4, 4, 2, 8, 2, 0, 0, 2, 0"],
    ["spaces", "4096 1024 128 8 2 16 64 4 4 2 8 2 0 0 2 0"],
    ["a value a line", "4096\n1024\n128\n8\n2\n16\n64\n4\n4\n2\n8\n2\n0\n0\n2\n0"],
    ["tabs, as from a spreadsheet", "4096\t1024\t128\t8\n2\t16\t64\t4\n4\t2\t8\t2\n\t\t2\t"],
    ["rows in lines", "4096 1024 128 8\n2 16 64 4\n4 2 8 2\n0 0 2 0"],
    ["rows in lines, aligned", "4096  1024   128     8\n   2    16    64     4\n   4     2     8     2\n   .     .     2     .\n"],
    ["carriage returns", "4096 1024 128 8\r\n2 16 64 4\r\n4 2 8 2\r\n0 0 2 0\r\n"],
    ["dots", "4096 1024 128 8 / 2 16 64 4 / 4 2 8 2 / . . 2 ."],
    ["dashes", "4096 1024 128 8\n2 16 64 4\n4 2 8 2\n- - 2 -"],
    ["underscores", "4096,1024,128,8;2,16,64,4;4,2,8,2;_,_,2,_"],
    ["nothing between commas", "4096,1024,128,8\n2,16,64,4\n4,2,8,2\n,,2,"],
    ["bars as row ends", "4096 1024 128 8 | 2 16 64 4 | 4 2 8 2 | 0 0 2 0"],
    ["slashes at the ends of lines", "4096,1024,128,8/\n2,16,64,4/\n4,2,8,2/\n.,.,2,."],
    ["an empty line after each row", "4096 1024 128 8\n\n2 16 64 4\n\n4 2 8 2\n\n0 0 2 0"],
    ["words of terminals around it", "Score: 52364  Best: 60000\n\n4096 1024 128 8\n2 16 64 4\n4 2 8 2\n0 0 2 0\n\nYour move (w/a/s/d)?"],
    ["quotes", '"4096","1024","128","8"\n"2","16","64","4"\n"4","2","8","2"\n"0","0","2","0"'],
    ["numbered rows", "Row 1: 4096 1024 128 8\nRow 2: 2 16 64 4\nRow 3: 4 2 8 2\nRow 4: 0 0 2 0"],
    ["thousands as k", "4k 1k 128 8\n2 16 64 4\n4 2 8 2\n0 0 2 0"],
    ["powers", "2^12 2^10 2^7 2^3\n2^1 2^4 2^6 2^2\n2^2 2^1 2^3 2^1\n0 0 2^1 0"],
    ["a code block", "```\n4096 1024 128 8\n2 16 64 4\n4 2 8 2\n0 0 2 0\n```"],
    ["exponents", "12 10 7 3\n1 4 6 2\n2 1 3 1\n0 0 1 0"],
    ["exponents in hex", "c a 7 3\n1 4 6 2\n2 1 3 1\n0 0 1 0"],
  ]));

  test("JSON and what looks like it", () => same(FIRST, [
    ["flat", "[4096,1024,128,8,2,16,64,4,4,2,8,2,0,0,2,0]"],
    ["nested", "[[4096,1024,128,8],[2,16,64,4],[4,2,8,2],[0,0,2,0]]"],
    ["null", "[[4096,1024,128,8],[2,16,64,4],[4,2,8,2],[null,null,2,null]]"],
    ["pretty", "[\n  [4096, 1024, 128, 8],\n  [2, 16, 64, 4],\n  [4, 2, 8, 2],\n  [0, 0, 2, 0],\n]"],
    ["exponents", "[[12,10,7,3],[1,4,6,2],[2,1,3,1],[0,0,1,0]]"],
    ["Python", "board = [[4096, 1024, 128, 8], [2, 16, 64, 4], [4, 2, 8, 2], [None, None, 2, None]]"],
    ["NumPy", "[[4096 1024  128    8]\n [   2   16   64    4]\n [   4    2    8    2]\n [   0    0    2    0]]"],
    ["NumPy, array()", "array([[4096, 1024, 128, 8],\n       [2, 16, 64, 4],\n       [4, 2, 8, 2],\n       [0, 0, 2, 0]])"],
    ["C", "int board[4][4] = {{4096,1024,128,8},{2,16,64,4},{4,2,8,2},{0,0,2,0}};"],
    ["MATLAB", "[4096 1024 128 8; 2 16 64 4; 4 2 8 2; 0 0 2 0]"],
    ["an object", '{"score": 52364, "board": [[4096,1024,128,8],[2,16,64,4],[4,2,8,2],[0,0,2,0]]}'],
    ["a text in an object", `{"variant":"4x4","board":"${HEX}","value":1}`],
    ["the original game's storage", original(FIRST)],
    ["the same as the console shows it", `gameState: ${original(FIRST)}`],
    ["tiles by row and column", JSON.stringify({ tiles: placed(FIRST).map(({ x, y, value }) => ({ row: y, col: x, value })) })],
  ]));

  test("tables and drawings", () => same(FIRST, [
    ["markdown", "| 4096 | 1024 | 128 | 8 |\n|---|---|---|---|\n| 2 | 16 | 64 | 4 |\n| 4 | 2 | 8 | 2 |\n| | | 2 | |"],
    ["markdown with a header", "| A | B | C | D |\n|--:|--:|--:|--:|\n| 4096 | 1024 | 128 | 8 |\n| 2 | 16 | 64 | 4 |\n| 4 | 2 | 8 | 2 |\n| | | 2 | |"],
    ["markdown with an empty header", "| | | | |\n|---|---|---|---|\n| 4096 | 1024 | 128 | 8 |\n| 2 | 16 | 64 | 4 |\n| 4 | 2 | 8 | 2 |\n| | | 2 | |"],
    ["plus and minus", drawn("+------+------+------+------+", "|")],
    ["box drawing", drawn("├──────┼──────┼──────┼──────┤", "│").replace(/^├─*┼─*┼─*┼─*┤/, "┌──────┬──────┬──────┬──────┐")],
    ["a frame only", "-----------------\n|4096|1024|128|8|\n|2|16|64|4|\n|4|2|8|2|\n| | |2| |\n-----------------"],
    ["cells of three lines", tall()],
    ["colours of a terminal", "\u001b[33m4096\u001b[0m 1024 128 8\n2 16 64 4\n4 2 8 2\n\u001b[2m.\u001b[0m . 2 ."],
    ["an HTML table", `<table class="grid"><tbody>${FIRST.split("/").map((row) => `<tr>${row.split(",").map((c) => `<td class="cell"><b>${c === "." ? "&nbsp;" : c}</b></td>`).join("")}</tr>`).join("\n")}</tbody></table>`],
    ["an HTML table with a score", `<table><tr><th colspan="4">Score 52364</th></tr>${FIRST.split("/").map((row) => `<tr>${row.split(",").map((c) => `<td>${c.replace(".", "")}`).join("")}`).join("")}</table>`],
    ["the original game's page", `<div class="tile-container">${placed(FIRST).map(({ x, y, value }) => `<div class="tile tile-${value} tile-position-${x + 1}-${y + 1}"><div class="tile-inner">${value}</div></div>`).join("")}</div>`],
  ]));

  test("other shapes", () => {
    same("2,4,./8,.,./.,.,16", [["hex of nine", "120300004"], ["with 0x", "0x120300004"], ["lines", "2 4 .\n8 . .\n. . 16"], ["flat", "2,4,0,8,0,0,0,0,16"]]);
    same("2,4,.,./8,.,.,./.,.,16,.", [["hex of twelve", "0x120030000040"]]);
    same("2,4,./.,8,./.,.,./.,16,.", [["twelve in the game's shape", "120030000040", "4x3"]]);
    same("2,4/8,.", [["two by two", "2,4/8,."], ["hex of four", "0x1230"]]);
    same("2,4,8/.,.,16", [["flat in the game's shape", "2 4 8 0 0 16", "2x3"]]);
    same("2,2,2,2,2/.,.,.,.,./4,4,4,4,4/.,.,.,.,./8,8,8,8,8", [["five by five", "2 2 2 2 2\n. . . . .\n4 4 4 4 4\n. . . . .\n8 8 8 8 8"]]);
    same("131072,65536,.,./.,.,.,./.,.,.,./.,.,.,2", [["large tiles", "131072 65536 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 2"]]);
  });

  test("values and exponents are told apart", () => {
    same("2,4,8,16/.,.,.,./.,.,.,./.,.,.,.", [["small values", "2 4 8 16\n0 0 0 0\n0 0 0 0\n0 0 0 0"]]);
    same("2,4,8,16/32,.,.,./.,.,.,./.,.,.,.", [["exponents", "1 2 3 4\n5 0 0 0\n0 0 0 0\n0 0 0 0"]]);
    same("131072,2,4,8/.,.,.,./.,.,.,./.,.,.,.", [["the largest", "17 1 2 3\n0 0 0 0\n0 0 0 0\n0 0 0 0"]]);
  });

  test("what is wrong is said with its place", () => wrong([
    ["", /nothing to read/],
    ["hello there", /no board/],
    ["4096,1024,128,8/2,16,63,4/4,2,8,2/.,.,2,.", /^row 2, column 3: '63' is no tile: tiles are powers of two/],
    ["4096 1024 128 8\n2 16 x 4\n4 2 8 2\n0 0 2 0", /^row 2, column 3: 'x' is no tile/],
    ["2 4 8 16\n2 3 8 16\n2 4 8 16\n2 4 8 16", /^row 2, column 2: '3' is no tile/],
    ["4096 1024 128 8\n2 16 64\n4 2 8 2\n0 0 2 0", /^row 2 has 3 cells, and row 1 has 4$/],
    ["4096,1024,128,8,2,16,64,4,4,2,8,2,0,0,2", /^there are 15 values: a 4x4 board has 16/],
    ["0xca7314622131001", /^15 hex digits: a 4x4 board has 16/],
    ["[[4096,1024,128,8],[2,16,\"q\",4],[4,2,8,2],[0,0,2,0]]", /^row 2, column 3: 'q'/],
    ['{"score": 3}', /no board: a field named board/],
    ['{"board": [[2,4', /JSON cannot be read/],
    ['{"grid":{"size":4,"cells":[[{"position":{"x":0,"y":7},"value":2}]]}}', /row 8, column 1, outside the board/],
    ["<table><tr><td>a</td></tr></table>", /table 1 has no tiles/],
  ]));
});

describe("games", () => {
  const variant = parseVariant("4x4");
  const game = new Line(variant, new Dice(4).deal(variant));
  for (let i = 0; i < 12; i += 1) {
    game.slide(["left", "down", "right", "up"].find((move) => slide(game.board, move)));
    const { cell, tile } = game.fall(4);
    game.drop(cell, tile);
  }
  const boards = Array.from({ length: game.length + 1 }, (_, ply) => game.stateAt(ply).board);
  const isGame = (name, text, current) => {
    const { line } = read(text, current ? parseVariant(current) : null);
    assert.ok(line, `${name}: a line`);
    line.jump(line.last);
    assert.equal(write(line.start), write(game.start), name);
    assert.equal(write(line.board), write(boards.at(-1)), name);
    assert.equal(line.length, game.length, name);
    return line;
  };

  test("boards one per line, in any form", () => {
    isGame("hex", boards.map(write).join("\n"));
    isGame("hex without 0x, numbered", boards.map((board, i) => `${i + 1}. ${write(board).slice(2)}`).join("\n"));
    isGame("values", boards.map(tiles).join("\n"));
    isGame("flat", boards.map((board) => board.cells.map((e) => (e ? 2 ** e : 0)).join(" ")).join("\n"));
    isGame("JSON lines", boards.map((board) => JSON.stringify(board.cells.map((e) => (e ? 2 ** e : 0)))).join("\n"));
    isGame("JSON", JSON.stringify(boards.map((board) => tiles(board).split("/").map((row) => row.split(",").map((c) => Number(c) || 0)))));
    isGame("history", JSON.stringify({ history: boards.map((board) => ({ board: board.cells })) }));
    isGame("blocks", boards.map((board) => tiles(board).replaceAll("/", "\n").replaceAll(",", " ")).join("\n\n"));
    isGame("as replay prints them", boards.map((board, i) => `move ${i}: left, a 2 in row 1, column 2, score 4\n${tiles(board).replaceAll("/", "\n").replaceAll(",", "\t")}`).join("\n\n"));
    const slides = game.plies().flatMap(({ move }, ply) => [boards[ply], slide(boards[ply], move).board]);
    isGame("slides and tiles apart", [...slides, boards.at(-1)].map(write).join("\n"));
  });

  test("a board that does not follow is named by its line", () => {
    const texts = boards.map(write);
    texts[5] = texts[8];
    wrong([
      [texts.join("\n"), /^line 6: no move and new tile lead from the board before to 0x/],
      [[...texts.slice(0, 3), "0x12345", ...texts.slice(3)].join("\n"), /^line 4: 5 hex digits/],
      [`${texts[0]}\n2,2/2,2`, /^line 2: the board is 2x2, and the one before 4x4/],
      [boards.slice(0, 3).map(tiles).join("\n").replace(/2(?=[^2]*$)/, "33"), /^line 3: row \d, column \d: '33' is no tile/],
    ]);
  });

  test("moves with their tiles", () => {
    isGame("the notation of links", `${write(game.start)}\n${game.text}`);
    isGame("on one line", `${write(game.start)} ${game.text}`);
    const letters = game.plies().map(({ move, cell, tile }) => `${move[0].toUpperCase()}${tile}@${cell}`);
    isGame("tile at cell", `${tiles(game.start)}\n${letters.join(" ")}`);
    isGame("numbered", `${tiles(game.start).replaceAll("/", "\n")}\n\n${letters.map((text, i) => `${i + 1}. ${text}`).join("\n")}`);
    isGame("the question of a review", JSON.stringify({ variant: "4x4", start: write(game.start), moves: game.plies() }));
  });

  test("moves without tiles are played by dice", () => {
    const moves = game.plies().map(({ move }) => move);
    const arrows = { left: "←", right: "→", up: "↑", down: "↓" };
    const keys = { left: "a", right: "d", up: "w", down: "s" };
    isGame("words and a seed", `4x4\nseed 4\n${moves.join(" ")}`);
    isGame("letters and a seed", `variant: 4x4\nseed: 4\n${write(game.start)}\n${moves.map((move) => move[0].toUpperCase()).join("")}`);
    isGame("arrows", `seed 4\n${moves.map((move) => arrows[move]).join("")}`);
    isGame("arrows as pictures", `seed 4\n${moves.map((move) => `${{ left: "⬅", right: "➡", up: "⬆", down: "⬇" }[move]}\ufe0f`).join(" ")}`);
    isGame("keys", `seed 4\n${moves.map((move) => keys[move]).join("")}`);
    const { line, note } = read("2 2 . .\n. . . .\n. . . .\n. . . .\nleft, down");
    assert.deepEqual(line.plies().map(({ move }) => move), ["left", "down"]);
    assert.match(note, /drawn at random/);
    wrong([
      ["LURD", /need a board to begin from/],
      ["2,2,.,./.,.,.,./.,.,.,./.,.,.,.\nL2@3 U U2@1", /^move 2|^move 3/],
      ["2,2,.,./.,.,.,./.,.,.,./.,.,.,.\nU2@9", /^move 1: up is not possible there/],
      ["2,2,.,./.,.,.,./.,.,.,./.,.,.,.\nL2@0", /^move 1: no 2 can appear in cell 0/],
    ]);
  });

  test("links and saved games", () => {
    const link = `http://127.0.0.1:2048/#explore?variant=4x4&start=${write(game.start)}&moves=${game.text}`;
    isGame("a link", link);
    isGame("in a sentence", `look at ${link} please`);
    const packed = isGame("packed", `https://example.org/tilebase/#analyse?game=${game.pack()}`);
    assert.equal(packed.at, packed.last);
    isGame("packed alone", game.pack());
    const { line } = read("#analyse?variant=3x3-to-256-win&board=0x761352101");
    assert.equal(line.variant.id, "3x3-to-256-win");
    assert.equal(write(line.board), "0x761352101");
    assert.equal(write(read("#analyse?game=2x2-to-16-win&board=0x1102").line.board), "0x1102");
    wrong([
      ["#analyse?seed=3", /no game and no board/],
      ["#analyse?variant=9q9&board=0x1102", /^variant=9q9: '9q9' is not a game/],
      ["#analyse?variant=2x2-to-16-win&board=0x1102&moves=U0.2", /^moves=U0.2: move 1: up is not possible there/],
      [`#analyse?game=${game.pack().slice(0, 40)}`, /end of the saved game is missing/],
    ]);
  });

  test("the game of the page is kept where its shape is that of the boards", () => {
    assert.equal(isGame("kept", boards.map(write).join("\n"), "4x4-to-2048").variant.id, "4x4-to-2048");
    assert.equal(isGame("another", boards.map(write).join("\n"), "3x3-to-256-win").variant.id, "4x4");
    assert.equal(read("0x110000000\n0x200000001\n").line.variant.id, "3x3-to-256-win");
  });

  test("fifteen thousand boards are read in a moment", () => {
    const long = parseVariant("8x8");
    const line = new Line(long, new Dice(3).deal(long));
    const orders = [["left", "down", "right", "up"], ["down", "left", "right", "up"]];
    const texts = [tiles(line.board)];
    for (let i = 0; i < 15_000; i += 1) {
      line.slide(orders[i % 2].find((move) => slide(line.board, move)));
      const { cell, tile } = line.fall(3);
      line.drop(cell, tile);
      texts.push(tiles(line.board));
    }
    const began = performance.now();
    const { line: found } = read(texts.join("\n"));
    assert.equal(found.length, 15_000);
    assert.ok(performance.now() - began < 10_000, `${performance.now() - began} ms`);
  });
});

/** The tiles of a board with their places. */
function placed(text) {
  const board = parseBoard(text);
  return board.cells.flatMap((e, cell) => (e === 0 ? [] : [{ x: cell % board.cols, y: Math.floor(cell / board.cols), value: 2 ** e }]));
}

/** What the original game keeps: columns of tiles that know their places. */
function original(text) {
  const cells = Array.from({ length: 4 }, () => new Array(4).fill(null));
  for (const { x, y, value } of placed(text)) cells[x][y] = { position: { x, y }, value };
  return JSON.stringify({ grid: { size: 4, cells }, score: 52364, over: false, won: true, keepPlaying: true });
}

function drawn(rule, bar) {
  const rows = FIRST.split("/").map((row) => `${bar}${row.split(",").map((cell) => ` ${cell.replace(".", "").padStart(4)} `).join(bar)}${bar}`);
  return `${rule}\n${rows.join(`\n${rule}\n`)}\n${rule}`;
}

function tall() {
  const rule = "+------+------+------+------+";
  const empty = "|      |      |      |      |";
  const rows = FIRST.split("/").map((row) => `${empty}\n|${row.split(",").map((cell) => ` ${cell.replace(".", "").padStart(4)} `).join("|")}|\n${empty}`);
  return `${rule}\n${rows.join(`\n${rule}\n`)}\n${rule}`;
}
