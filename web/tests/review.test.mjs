// Whole games in a real browser: opened, reviewed, stepped through, tried again, noted.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { cells, freePort, open, overflows, program, serve, stage, tilebase, violations } from "./helpers.mjs";
import { Line } from "../line.js";
import { parseBoard, parseMoves, parseVariant, write } from "../notation.js";
import { readRecording } from "../recording.js";

let long;
const here = stage((folder) => {
  long = join(folder, "long.tb");
  execFileSync(program, ["play", "4x4", "--player", "expectimax", "--depth", "1", "--games", "2", "--seed", "3", "--record", long], { stdio: "ignore" });
  return [];
});
const { visit } = here;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const BLUNDER = "#analyse?game=2x2-to-16-win&start=0x1102&moves=L3.2R0.4";
const KEYS = { left: "ArrowLeft", right: "ArrowRight", up: "ArrowUp", down: "ArrowDown" };

/** The answer of a position, its moves from the best. */
const position = (variant, board) => here.server.ask(`position?variant=${variant}&board=${board}&search=true`);

/** The program's verdicts on moves. */
const verdicts = (variant, start, moves) => fetch(`${here.server.address}api/v1/verdicts`, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ variant, start, moves }),
}).then((answer) => answer.json());

/** Opens a file by the button. */
async function openFile(page, file) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file" }).click()]);
  await chooser.setFiles(file);
}

/** Waits until nothing moves any more: a finger or a pointer that goes where a button was misses it. */
const still = (page) => page.evaluate(async () => {
  const places = () => [...document.querySelectorAll(".review button, .practise button, .notebook button")].map((button) => button.getBoundingClientRect().top).join();
  for (let [before, same] = ["", 0]; same < 5; ) {
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    same = places() === before ? same + 1 : 0;
    before = places();
  }
});

/** Milliseconds of work for each of some keys, sorted: the key itself, and what is drawn in the frame after it. */
const work = (page, keys) => page.evaluate(async (all) => {
  const times = [];
  for (const key of all) {
    const began = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const handled = performance.now() - began;
    const drawn = await new Promise((resolve) => { requestAnimationFrame((at) => resolve(performance.now() - at)); });
    times.push(handled + drawn);
  }
  return times.sort((a, b) => a - b);
}, keys);

/** Reviews that take a moment and find something wrong in every tenth move. */
const canned = (wait) => (page) => page.route("**/api/v1/verdicts", async (route) => {
  const { variant, start, moves } = route.request().postDataJSON();
  await new Promise((resolve) => { setTimeout(resolve, wait); });
  const chances = { 16384: 0.6, 32768: 0.1 };
  const grades = ["mistake", ...new Array(8).fill("best"), "about_equal"];
  await route.fulfill({ json: {
    variant, objective: "score", start, unit: "points", accuracy: 90, loss: 1, mistakes: [], board: start, value: 1000, chances,
    moves: moves.map(({ move }, ply) => ({
      ply, board: start, move, best: "left", best_moves: ["left"], grade: grades[ply % 10], loss: ply % 10 === 0 ? 100 + ply : 0, is_best: ply % 10 !== 0,
      before: { value: 1000 }, outlook_before: { chances }, source: "estimate",
    })),
  } });
});

describe("a reviewed game", () => {
  visit("every move has its verdict, and the worst are listed", BLUNDER, async (page) => {
    const game = await verdicts("2x2-to-16-win", "0x1102", parseMoves("L3.2R0.4"));
    assert.deepEqual(game.mistakes, [1]);
    await page.locator(".move-row .remark").nth(1).waitFor();
    assert.match(await page.locator(".move-row .remark").nth(0).textContent(), /best/);
    assert.match(await page.locator(".move-row .remark").nth(1).textContent(), /blunder/);
    assert.match(await page.locator(".worst li").textContent(), /^Move 2: → right, blunder −8\d\.\d\s%; ↑ up was best/);
    assert.equal(await page.locator(".slip").count(), 1);
    assert.match(await page.locator(".tally").textContent(), /1 best.*1 blunder/);
    assert.equal(await page.locator(".accuracy strong").textContent(), `${game.accuracy.toFixed(1)} %`);
    await page.getByText("Exact: every move was compared with the solved game").waitFor();
  });

  visit("chart, list, keys and buttons go to the same places", BLUNDER, async (page) => {
    await page.locator(".slip").waitFor();
    await page.locator('.move-row[data-ply="0"]').click();
    assert.deepEqual(await cells(page), [1, 1, 0, 2]);
    await page.keyboard.press("n");
    assert.deepEqual(await cells(page), [2, 0, 2, 1], "before the blunder");
    await page.locator('.move-row[aria-current][data-ply="1"]').waitFor();
    const slider = page.getByRole("slider", { name: "Place in the game" });
    await slider.focus();
    await page.keyboard.press("End");
    assert.deepEqual(await cells(page), [2, 2, 2, 1]);
    await page.locator('[role=slider][aria-valuetext^="Move 2: "]').waitFor();
    assert.match(await slider.getAttribute("aria-valuetext"), /^Move 2: \d/);
    await page.getByRole("button", { name: "Previous mistake" }).click();
    assert.deepEqual(await cells(page), [2, 0, 2, 1]);
    const box = await slider.boundingBox();
    await slider.hover({ position: { x: box.width - 14, y: 60 } });
    await page.locator(".said", { hasText: /^Move 2:/ }).waitFor();
    await slider.click({ position: { x: 54, y: 60 } });
    assert.deepEqual(await cells(page), [1, 1, 0, 2]);
    await page.locator(".worst li > button").click();
    assert.deepEqual(await cells(page), [2, 0, 2, 1]);
  });

  visit("a short game of 4x4 is searched by itself", "#analyse?game=4x4-to-2048&start=0xa9876543210000a1&moves=L15.2D1.2U15.2", async (page) => {
    const { moves, accuracy } = await verdicts("4x4-to-2048", "0xa9876543210000a1", parseMoves("L15.2D1.2U15.2"));
    await page.locator(".accuracy", { hasText: `${accuracy.toFixed(1)} % accuracy` }).waitFor({ timeout: 60_000 });
    const shown = await page.locator(".move-row[data-grade]").evaluateAll((rows) => rows.map((row) => row.dataset.grade));
    assert.deepEqual(shown, moves.map(({ grade }) => grade));
    await page.getByText("Estimated by search.").waitFor();
  });

  visit("a game that goes on is reviewed on, and one that turns off is reviewed anew", BLUNDER, async (page) => {
    await page.locator(".slip").waitFor();
    await page.locator('.move-row[data-ply="1"]').click();
    const { moves: [best] } = await position("2x2-to-16-win", "0x2021");
    await page.keyboard.press(KEYS[best.move]);
    await page.locator('.move-row[data-ply="2"] .remark', { hasText: "best" }).waitFor();
    assert.equal(await page.locator(".worst li").count(), 0);
    assert.match(await page.locator(".tally").textContent(), /2 best/);
  });
});

describe("play, review, try again", () => {
  const start = "#analyse?game=2x2-to-16-win&board=0x1102&seed=5";
  const worstOf = ({ moves }) => moves.at(-1).move;

  visit("by keyboard", start, async (page) => {
    const { moves } = await position("2x2-to-16-win", "0x1102");
    const bad = moves.at(-1);
    await page.locator(".move-row").first().waitFor();
    await page.keyboard.press(KEYS[bad.move]);
    const again = page.getByRole("button", { name: "Try again" });
    await again.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Find the best move" });
    await dialog.waitFor();
    assert.match(await dialog.textContent(), new RegExp(`${bad.move} was played here`, "i"));
    await page.keyboard.press(KEYS[bad.move]);
    await dialog.locator(".verdict[data-right=false]").waitFor();
    assert.match(await dialog.locator(".verdict").textContent(), new RegExp(`Best is ${moves[0].move}`));
    assert.equal(await dialog.locator(".move .value").count(), moves.length, "with the values");
    await page.keyboard.press("r");
    await page.keyboard.press(KEYS[moves[0].move]);
    await dialog.locator(".verdict[data-right=true]", { hasText: "is the best move" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const board = await cells(page);
    await page.keyboard.press("u");
    assert.notDeepEqual(await cells(page), board, "the keys are the game's again");
  });

  visit("by touch", start, async (page) => {
    const answer = await position("2x2-to-16-win", "0x1102");
    const fingers = await page.context().newCDPSession(page);
    const swipe = async (board, move) => {
      const box = await board.boundingBox();
      const [dx, dy] = { left: [-80, 4], right: [80, 4], up: [4, -80], down: [4, 80] }[move];
      const at = (part) => [{ x: box.x + box.width / 2 + dx * part, y: box.y + box.height / 2 + dy * part }];
      await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
      for (const part of [0.25, 0.5, 0.75, 1]) await fingers.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(part) });
      await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      // A tap right after a swipe is taken for a part of it.
      await page.waitForTimeout(400);
    };
    await page.locator(".move-row").first().waitFor();
    await page.locator(".analyse .board").first().scrollIntoViewIfNeeded();
    await swipe(page.locator(".analyse .board").first(), worstOf(answer));
    await page.locator(".note-item").waitFor();
    await still(page);
    await page.getByRole("button", { name: "Try again" }).tap();
    const dialog = page.getByRole("dialog", { name: "Find the best move" });
    await swipe(dialog.locator(".board"), worstOf(answer));
    await dialog.locator(".verdict[data-right=false]").waitFor();
    await still(page);
    await dialog.getByRole("button", { name: "Try again" }).tap();
    await still(page);
    await dialog.getByRole("button", { name: answer.moves[0].move, exact: true }).tap();
    await dialog.locator(".verdict[data-right=true]").waitFor();
    assert.equal(await overflows(page), false);
    await dialog.getByRole("button", { name: "Open on the board" }).tap();
    assert.deepEqual(await cells(page), [1, 1, 0, 2]);
  }, PHONE);
});

describe("a long game", () => {
  const game = () => readRecording(new Uint8Array(readFileSync(long)));

  visit("a recording of two games is opened, jumped through and stepped smoothly", "#analyse", async (page) => {
    await openFile(page, long);
    const [, second] = game();
    assert.ok(second.length > 10_000, `${second.length} moves`);
    assert.equal(await page.locator(".game-list button").count(), 2);
    await page.locator(".game-list button").nth(1).click();
    assert.deepEqual(await cells(page), second.start.cells);
    assert.ok(await page.locator(".move-row").count() < 60, "only rows that are seen exist");
    await page.locator(".move-list").evaluate((list) => { list.scrollTop = list.scrollHeight; });
    await page.locator(`.move-row[data-ply="${second.length}"]`).click();
    second.jump(second.last);
    assert.deepEqual(await cells(page), second.board.cells);
    await page.getByRole("button", { name: "Save game" }).waitFor();
    const steps = await work(page, [...new Array(30).fill("u"), ...new Array(10).fill("r")]);
    assert.ok(steps[20] < 30, `a step takes ${steps[20]} ms`);
    second.jump(second.last - 40);
    assert.deepEqual(await cells(page), second.board.cells);
    // Playing on from the middle, with new tiles by dice.
    await page.locator(".move-list").evaluate((list) => { list.scrollTop = list.scrollHeight / 2; });
    await page.locator(".move-row").nth(5).click();
    const played = await work(page, ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"]);
    assert.ok(played[5] < 30, `a move takes ${played[5]} ms`);
  });

  visit("it is dropped on the page, reviewed with progress, stopped, and reviewed on", "#analyse", async (page) => {
    const [first] = game();
    await page.locator(".review").waitFor();
    await page.evaluate((bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], "dropped.tb"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [...readFileSync(long)]);
    await page.locator(".game-list button").first().click();
    await page.getByRole("button", { name: "Review this game" }).click();
    await page.locator(".pace", { hasText: /\d+ a second, about .* left/ }).waitFor();
    assert.ok(await page.getByRole("progressbar", { name: "Progress of the review" }).evaluate((bar) => bar.value > 0 && bar.value < 1));
    await page.locator(".worst li").nth(4).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".pace", { hasText: /moves are reviewed/ }).waitFor();
    const stopped = await page.locator(".pace").textContent();
    await page.waitForTimeout(400);
    assert.equal(await page.locator(".pace").textContent(), stopped, "nothing more comes");
    await page.getByRole("button", { name: "Next mistake" }).click();
    first.jump(first.stateOf(10));
    assert.deepEqual(await cells(page), first.board.cells);
    await page.getByRole("button", { name: "Review the rest" }).click();
    await page.getByText("Estimated by search.").waitFor({ timeout: 60_000 });
    assert.match(await page.locator(".accuracy").textContent(), /^90\.0 % accuracy/);
    const tally = (await page.locator(".tally").textContent()).replace(/\s/g, "");
    const counted = [...tally.matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0);
    assert.equal(counted, first.length, "every move once");
    assert.ok(await page.locator(".slip").count() < 400, "marks do not pile up");
    // Drawing all of it again when one steps would be felt.
    const drawn = await work(page, ["r", "r", "r", "u", "u"]);
    assert.ok(drawn[2] < 30, `${drawn[2]} ms`);
    await page.reload();
    await page.locator(".accuracy", { hasText: "90.0 %" }).waitFor();
    await page.getByText("Estimated by search.").waitFor();
    // Another game is not reviewed unasked.
    await page.getByRole("button", { name: "New game" }).click();
    await page.locator(".accuracy").waitFor({ state: "hidden" });
  }, { prepare: canned(20) });

  visit("the program searches every move, and a stop keeps what is done", "#analyse", async (page) => {
    const [first] = game();
    await openFile(page, long);
    await page.locator(".game-list button").first().click();
    await page.getByRole("button", { name: "Review this game" }).click();
    await page.locator(".pace", { hasText: /a second, about .* left/ }).waitFor({ timeout: 120_000 });
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Review the rest" }).waitFor();
    const { moves, unit } = await verdicts("4x4", write(first.start), first.plies(0, 8));
    assert.equal(unit, "points");
    for (const { ply, grade } of moves) assert.equal(await page.locator(`.move-row[data-ply="${ply + 1}"]`).getAttribute("data-grade"), grade, `move ${ply + 1}`);
    assert.match(await page.locator(".accuracy").textContent(), /^\d+\.\d % accuracy/);
    await page.getByRole("heading", { name: /^Chances? (?:of \d+ )?over the game$/ }).waitFor();
    await page.locator(".said", { hasText: /\d+: (?:\d+\.\d|over 99\.9|under 0\.1) %/ }).waitFor();
    assert.ok(await page.locator(".game-chart .curve").count() >= 1);
  });

  visit("a review that is refused says so and can be tried again", "#analyse", async (page) => {
    await openFile(page, long);
    await page.locator(".game-list button").first().click();
    await page.route("**/api/v1/verdicts", (route) => route.fulfill({ status: 200, json: null }));
    await page.getByRole("button", { name: "Review this game" }).click();
    await page.locator(".pace.trouble").waitFor();
    await page.unroute("**/api/v1/verdicts");
    await canned(0)(page);
    await page.getByRole("button", { name: "Review this game" }).click();
    await page.locator(".worst li").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
  });
});

test("a review goes on when a server that stopped is back", async () => {
  const port = String(await freePort());
  let mine = await serve("--port", port);
  const { page, close } = await open(here.browser, mine.address, "#analyse");
  try {
    await openFile(page, long);
    await page.locator(".game-list button").first().click();
    await page.getByRole("button", { name: "Review this game" }).click();
    await page.locator(".pace", { hasText: /a second, about .* left/ }).waitFor({ timeout: 120_000 });
    await mine.close();
    mine = null;
    await page.locator("#away", { hasText: "The server does not answer" }).waitFor();
    const before = await page.locator(".pace").textContent();
    mine = await serve("--port", port);
    await page.waitForFunction((text) => document.querySelector(".pace").textContent !== text, before, { timeout: 120_000 });
    assert.match(await page.locator(".pace").textContent(), /\d of \d.* moves|Estimated/);
    assert.equal(await page.locator(".pace.trouble").count(), 0);
  } finally {
    await close();
    await mine?.close();
  }
});

describe("files and pastes", () => {
  visit("a game is saved as a file that the program accepts", BLUNDER, async (page) => {
    await page.locator(".move-row").nth(2).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save game" }).click()]);
    assert.match(download.suggestedFilename(), /^2048-2x2-4\.tb$/);
    const file = join(here.folder, "saved.tb");
    await download.saveAs(file);
    assert.equal(tilebase("replay", file).games, 1);
    assert.equal(readRecording(new Uint8Array(readFileSync(file)))[0].text, "L3.2R0.4");
  });

  visit("text files are read, and what is wrong with a file is said with its name", "#analyse", async (page) => {
    const variant = parseVariant("3x3-to-256-win");
    const line = Line.of(variant, parseBoard("0x110000000", variant.shape), parseMoves("L8.2"));
    const file = join(here.folder, "boards.txt");
    writeFileSync(file, `${write(line.stateAt(0).board)}\n${write(line.stateAt(1).board)}\n`);
    await openFile(page, file);
    await page.locator('.move-row[data-ply="1"]').waitFor();
    assert.deepEqual(await cells(page), line.start.cells);
    writeFileSync(file, "2 4 8\n2 4\n");
    await openFile(page, file);
    await page.getByRole("alert").filter({ hasText: "boards.txt: row 2 has 2 cells, and row 1 has 3" }).waitFor();
    writeFileSync(file, Buffer.from(readFileSync(long).subarray(0, 5000)));
    await openFile(page, file);
    await page.getByRole("alert").filter({ hasText: "the end of the file is missing" }).waitFor();
  });

  visit("a pasted game becomes a line", "#analyse", async (page) => {
    await page.locator(".review").waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text", "0x110000000\n0x200000001\n0x200000022\n".replace("0x200000022", "0x210001000"));
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.getByRole("alert").filter({ hasText: /^line 3: no move and new tile/ }).waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text", "0x110000000\n0x200000001");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await page.locator('.move-row[data-ply="1"]', { hasText: "2 at 3,3" }).waitFor();
  });
});

describe("notebook", () => {
  visit("mistakes are kept over a reload, practised, and deleted", BLUNDER, async (page) => {
    const notebook = page.locator(".notebook");
    await notebook.getByText("1 position, 1 due").waitFor();
    await page.reload();
    await notebook.getByText("1 position, 1 due").waitFor();
    assert.match(await notebook.locator(".note-item").textContent(), /→ right, −8\d\.\d\s%.*2x2 to 16/);
    const { moves } = await position("2x2-to-16-win", "0x2021");
    await notebook.getByRole("button", { name: "Practise", exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    await page.keyboard.press(KEYS[moves[0].move]);
    await dialog.locator(".verdict[data-right=true]").waitFor();
    await page.keyboard.press("Escape");
    await notebook.getByText("1 position, none due today").waitFor();
    assert.match(await notebook.locator(".note-item").textContent(), /right 1×/);
    await page.reload();
    await notebook.getByText("1 position, none due today").waitFor();
    await notebook.getByRole("button", { name: "Open", exact: true }).click();
    assert.deepEqual(await cells(page), [2, 0, 2, 1]);
    await still(page);
    const [download] = await Promise.all([page.waitForEvent("download"), notebook.getByRole("button", { name: "Export" }).click()]);
    const file = join(here.folder, "notebook.json");
    await download.saveAs(file);
    await notebook.getByRole("button", { name: "Delete" }).click();
    await notebook.getByText("Positions that you got wrong come here").waitFor();
    const load = async () => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), notebook.getByRole("button", { name: "Import" }).click()]);
      await chooser.setFiles(file);
    };
    await load();
    await notebook.locator(".note-item", { hasText: "right 1×" }).waitFor();
    writeFileSync(file, '{"notes":[{"variant":"2x2-to-16-win","board":"0x99999","played":"left","best":null}]}');
    await load();
    await notebook.getByText("note 1 of the file cannot be read").waitFor();
  });

  visit("a move is added by a click, and mistakes only if wanted", "#analyse?game=2x2-to-16-win&board=0x1102&seed=5", async (page) => {
    await page.getByLabel("Add mistakes of reviewed games").uncheck();
    await page.goto(here.server.address + BLUNDER);
    await page.locator(".worst li").waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".note-item").count(), 0);
    await page.getByRole("button", { name: "Add to notebook" }).click();
    assert.equal(await page.locator(".note-item").count(), 1);
    assert.equal(await page.getByRole("button", { name: "In the notebook" }).isDisabled(), true);
  });
});

for (const colorScheme of ["light", "dark"]) {
  describe(`without a barrier, ${colorScheme}`, () => {
    visit("review, chart, moves, notebook and practise", BLUNDER, async (page) => {
      await page.locator(".note-item").waitFor();
      await page.waitForTimeout(300);
      assert.deepEqual(await violations(page), []);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.keyboard.press("ArrowRight");
      await page.locator("dialog .verdict").waitFor();
      assert.deepEqual(await violations(page), []);
    }, { colorScheme });
  });
}

describe("on a phone", () => {
  visit("nothing is wider than the screen", BLUNDER, async (page) => {
    await page.locator(".note-item").waitFor();
    assert.equal(await overflows(page), false);
  }, PHONE);
});
