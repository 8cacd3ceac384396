// Practising formations in a real browser: starts, verdicts, forbidden slides, ends, links.
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { open, overflows, stage, tilebase, violations } from "./helpers.mjs";
import { words } from "../notation.js";
import { chance } from "../numbers.js";
import { MOVES } from "../rules.js";
import { cellsOf, parseWalled, parseWalledBoard, refusal, slideWalled, WALL } from "../walls.js";

const L3 = "4x4-to-32-formation-L3-win";
const CORNER = "4x4-to-16-formation-442-win";
const KEYS = { left: "ArrowLeft", right: "d", up: "ArrowUp", down: "s" };
const SHAPE = { rows: 4, cols: 4 };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const here = stage((folder) => {
  tilebase("solve", "4x4", "--formation", "L3", "--to", "32", "--out", join(folder, "L3-32"));
  tilebase("solve", "4x4", "--formation", "442", "--to", "16", "--out", join(folder, "442-16"));
  return ["--tables", folder];
});
const { visit } = here;

const link = (game, board, moves = "") => `#practise?game=${game}&board=${board}${moves ? `&moves=${moves}` : ""}`;
const position = (game, board) => here.server.ask(`position?variant=${game}&board=${board}`);
/** The board that is shown, in hex. */
async function shown(page) {
  const all = page.locator(".practise .board .cell");
  await all.first().waitFor();
  const digits = await all.evaluateAll((found) => found.map(({ dataset }) => (dataset.e === "wall" ? "f" : Number(dataset.e).toString(16))));
  return `0x${digits.join("")}`;
}
/** Waits until the value of a board is shown. */
const valued = (page, value) => page.locator(`.drill-state .number[title="${value}"]`).waitFor();
const fact = (page, name) => page.locator(".drill-state .facts div", { hasText: name }).locator("dd").first().textContent();
const said = (page, text) => page.locator(".practise .verdict[role=status]", { hasText: text }).waitFor();

/** Moves of a drill by the server: `pick` chooses one of each position, 2s fall into the first empty cell. */
async function played(game, board, pick) {
  const plies = [];
  for (let now = board; ;) {
    const { moves, status } = await position(game, now);
    if (moves.length === 0) return { plies, board: now, end: status, text: plies.map(({ text }) => text).join("") };
    const made = pick(moves);
    const cells = [...made.afterstate.slice(2)];
    const cell = cells.indexOf("0");
    plies.push({ made, board: now, text: `${made.move[0].toUpperCase()}${made.wins_now ? "" : `${cell}.2`}` });
    if (made.wins_now) return { plies, board: made.afterstate, end: "won", text: plies.map(({ text }) => text).join("") };
    cells[cell] = "1";
    now = `0x${cells.join("")}`;
  }
}

describe("games with walls", () => {
  test("ids are read and said", () => {
    const { id, target, shape, twos } = parseWalled("4x4-to-64-formation-L3");
    assert.deepEqual([id, target, shape, twos], ["4x4-to-64-formation-L3-win", 6, SHAPE, 900_000_000]);
    assert.equal(parseWalled("3x4-to-32-walls-3-keep-fff+f0ff-goal-fff000-win").shape.cols, 4);
    assert.equal(words(id), "4x4 to 64, formation L3");
    for (const wrong of ["4x4-to-64-win", "4x4-formation-L3", "4x4-to-64-formation-L3-score", "zebra"]) assert.throws(() => parseWalled(wrong), /formation-L3-win/);
    assert.deepEqual(cellsOf("fff0fff", SHAPE), [9, 10, 11, 13, 14, 15]);
  });

  test("walls slide and never merge", () => {
    const board = parseWalledBoard("#,.,#,2/#,.,.,./2,2,#,#/.,.,.,.", SHAPE);
    const { board: after, merged } = slideWalled(board, "left");
    assert.deepEqual(after, parseWalledBoard("#,#,2,./#,.,.,./4,#,#,./.,.,.,.", SHAPE));
    assert.deepEqual(merged, [8]);
    assert.equal(slideWalled(parseWalledBoard("#,#,2,./.,.,.,./.,.,.,./.,.,.,.", SHAPE), "left"), null);
    assert.equal(refusal(parseWalledBoard("16,16,.,./.,.,.,./.,.,.,./.,.,.,#", SHAPE), "left", 4), "it would make a tile above 16");
  });

  test("slides are those of the server", async () => {
    for (const [game, board] of [[L3, "0x121012101fff2fff"], [CORNER, "0x1021012021ffffff"], [CORNER, "0x1222333021ffffff"]]) {
      const { moves } = await position(game, board);
      assert.ok(moves.length > 0, board);
      const at = parseWalledBoard(board, SHAPE);
      for (const { move, afterstate } of moves) assert.deepEqual(slideWalled(at, move).board, parseWalledBoard(afterstate, SHAPE), `${board} ${move}`);
    }
  });
});

describe("a start", () => {
  visit("by chance, from the chooser, stays in the address", "#practise", async (page) => {
    await page.locator("select optgroup").first().waitFor({ state: "attached" });
    assert.deepEqual(await page.getByLabel("Formation").locator("optgroup[label=Solved] option").allTextContents(), ["442 to 16", "L3 to 32"]);
    await page.getByLabel("Formation").selectOption(L3);
    const starts = new Set();
    for (let i = 0; i < 4; i += 1) {
      await page.getByRole("button", { name: i === 0 ? "Start" : "Another start" }).first().click();
      await page.waitForFunction((last) => location.hash.includes("board=") && location.hash !== last, [...starts].at(-1) ?? "");
      starts.add(new URL(page.url()).hash);
      const board = parseWalledBoard(await shown(page), SHAPE);
      assert.deepEqual(board.cells.flatMap((e, cell) => (e === WALL ? [cell] : [])), cellsOf("fff0fff", SHAPE));
      const tiles = board.cells.filter((e) => e !== 0 && e !== WALL);
      assert.ok(tiles.length === 2 && tiles.every((e) => e === 1 || e === 2), `${tiles}`);
      const { value, complement } = await position(L3, await shown(page));
      assert.ok(value > 0);
      await valued(page, value);
      assert.equal(await fact(page, "At the start"), chance(value, complement));
    }
    assert.ok(starts.size > 1);
    const board = await shown(page);
    await page.reload();
    assert.equal(await shown(page), board);
  });

  visit("from a position in Analyse", "#analyse?game=4x4&board=.,.,4,2/.,.,2,./2,1024,512,2048/8,4096,8192,16384", async (page) => {
    await page.getByRole("link", { name: "Practise L3 to 32" }).click();
    assert.equal(await shown(page), "0x002100101fff3fff");
    assert.equal(await page.locator('.practise .cell[aria-label$=": wall"]').count(), 6);
    assert.equal(await page.locator('.practise .cell[data-e="wall"]').allTextContents().then((all) => all.join("")), "");
    await page.goBack();
    await page.locator(".formation").first().waitFor();
  });
});

/** Lists a formation among those that are solved on demand. */
const onDemand = (id) => ({
  prepare: (page) => page.route("**/api/v1/variants", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, on_demand: [...new Set([...answer.on_demand, id])] } });
  }),
});

describe("a formation that is solved when it is chosen", () => {
  const id = "4x4-to-16-formation-t-win";
  visit("is solved by a job, and then practised", "#practise", async (page) => {
    await page.getByLabel("Formation").locator(`optgroup[label^="Solved when"] option[value="${id}"]`).waitFor({ state: "attached" });
    await page.getByLabel("Formation").selectOption(id);
    await page.getByRole("button", { name: "Start" }).first().click();
    // Its job may wait behind that of a formation which an earlier page has begun.
    await page.locator(".practise .board .cell").first().waitFor({ timeout: 90_000 });
    const board = await shown(page);
    assert.equal([...board].filter((digit) => digit === "f").length, 6);
    const { value } = await position(id, board);
    await valued(page, value);
    assert.equal(await page.locator(".practise .cell.outlined").count(), 4);
  }, onDemand(id));

  visit("is no goal in Analyse", "#analyse?game=4x4&board=0x1100000000000000", async (page) => {
    const goal = page.getByLabel("Goal");
    await goal.locator('option[value="2x2-to-8-win"]').waitFor({ state: "attached" });
    assert.equal(await goal.locator("option[value*=formation]").count(), 0);
  }, onDemand("4x4-to-64-formation-t-win"));
});

describe("a slide", () => {
  visit("gets the verdict and the values of the server", link(L3, "0x000001001fff0fff"), async (page) => {
    const first = await position(L3, await shown(page));
    await valued(page, first.value);
    let given = 0;
    let best = 0;
    for (let i = 0; i < 8; i += 1) {
      const before = await shown(page);
      const at = await position(L3, before);
      if (at.moves.length === 0) break;
      await valued(page, at.value);
      const made = at.moves[i % 2 === 1 ? at.moves.length - 1 : 0];
      await page.keyboard.press(KEYS[made.move]);
      await said(page, new RegExp(`^${made.is_best ? "✓" : "✕"} ${made.move}`, "i"));
      assert.equal(await page.locator(".practise .verdict[role=status]").getAttribute("data-grade"), made.grade);
      for (const { move, value, complement } of at.moves) assert.equal(await page.locator(`.drill-last [data-move="${move}"] .value`).textContent(), chance(value, complement));
      assert.equal(await page.locator(".drill-last .closed").count(), 4 - at.moves.length);
      assert.equal(await page.locator(".drill-last [data-made]").getAttribute("data-move"), made.move);
      // One tile fell on what the slide left.
      const [left, now] = [[...made.afterstate], [...await shown(page)]];
      const fell = now.flatMap((digit, cell) => (digit === left[cell] ? [] : [[left[cell], digit]]));
      if (made.wins_now) break;
      assert.ok(fell.length === 1 && fell[0][0] === "0" && "12".includes(fell[0][1]), `${left} ${now}`);
      given += made.loss;
      best += Number(made.is_best);
      assert.equal(await fact(page, "Given away"), given === 0 ? "0" : `−${chance(given)}`);
      assert.equal(await fact(page, "Best moves"), `${best} of ${i + 1}`);
      assert.equal(await fact(page, "At the start"), chance(first.value, first.complement));
    }
    // A reload plays the moves of the address.
    await page.waitForTimeout(400);
    const [board, facts] = [await shown(page), await page.locator(".drill-state .facts").textContent()];
    await page.reload();
    assert.equal(await shown(page), board);
    assert.equal(await page.locator(".drill-state .facts").textContent(), facts);
  });

  visit("that is not allowed is refused, with the reason", link(L3, "0x000001001fff0fff"), async (page) => {
    const board = await shown(page);
    const { moves } = await position(L3, board);
    const allowed = moves.map(({ move }) => move);
    assert.ok(allowed.length < 4);
    for (const move of MOVES.filter((name) => !allowed.includes(name))) {
      assert.equal(await page.locator(`.pads [data-move=${move}]`).getAttribute("aria-disabled"), "true");
      await page.keyboard.press(KEYS[move]);
      await said(page, new RegExp(`^${move} is not allowed: the walls would leave the formation`, "i"));
      await page.locator(`.pads [data-move=${move}]`).click({ force: true });
      assert.equal(await shown(page), board);
    }
    assert.equal(await fact(page, "Best moves"), "0 of 0");
    for (const move of allowed) assert.equal(await page.locator(`.pads [data-move=${move}]`).getAttribute("aria-disabled"), "false");
    await page.locator(`.pads [data-move=${allowed[0]}]`).click();
    await said(page, "is the best move");
  });

  visit("by a finger, and taken back", link(L3, "0x000001001fff0fff"), async (page) => {
    const board = await shown(page);
    const fingers = await page.context().newCDPSession(page);
    const box = await page.locator(".practise .board").boundingBox();
    const at = (dx) => [{ x: box.x + 150 + dx, y: box.y + 150 }];
    await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
    for (const dx of [30, 60, 90]) await fingers.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(dx) });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await said(page, "Right is the best move");
    await page.keyboard.press("u");
    assert.equal(await shown(page), board);
    assert.equal(await page.locator(".drill-state .facts dd.note", { hasText: "1 taken back" }).count(), 1);
    assert.equal(await overflows(page), false);
  }, PHONE);
});

/** A start of the formation in the corner that both ends are reached from. */
const START = "0x0000001021ffffff";
const worse = (moves) => moves[moves.length > 1 ? 1 : 0];

describe("the end", () => {
  visit("a drill that is won", "#practise", async (page) => {
    const { plies, board, text, end } = await played(CORNER, START, ([best]) => best);
    assert.equal(end, "won");
    const last = plies.at(-1);
    await page.goto(`${here.server.address}${link(CORNER, START, text.slice(0, -1))}`);
    assert.equal(await shown(page), last.board);
    assert.equal(await page.locator(".practise .cell.outlined").count(), 1);
    await page.keyboard.press(KEYS[last.made.move]);
    await page.getByText(`16 made in ${plies.length} moves.`).waitFor();
    assert.equal(await shown(page), board);
    assert.equal(await page.locator(".drill-state .number").textContent(), "100\u00a0%");
    await page.getByText("Every move was the best.").waitFor();
    assert.equal(await page.locator(".worst li:visible").count(), 0);
    // No slide is made after the end.
    for (const key of Object.values(KEYS)) await page.keyboard.press(key);
    assert.equal(await shown(page), board);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Again");
    await page.keyboard.press("Enter");
    assert.equal(await shown(page), START);
    assert.equal(await fact(page, "Best moves"), "0 of 0");
    assert.equal(await page.locator(".drill-over").isVisible(), false);
  });

  visit("a drill that is lost, and a move tried again", "#practise", async (page) => {
    const { plies, board, text, end } = await played(CORNER, START, worse);
    assert.equal(end, "lost");
    await page.goto(`${here.server.address}${link(CORNER, START, text)}`);
    assert.equal(await shown(page), board);
    await page.getByText(`No slide is allowed any more, after ${plies.length} moves.`).waitFor();
    const given = plies.reduce((sum, { made }) => sum + made.loss, 0);
    assert.equal(await fact(page, "Given away"), `−${chance(given)}`);
    const worst = plies.map(({ made }, at) => [made.loss, at]).filter(([loss]) => loss > 0).sort(([a], [b]) => b - a).slice(0, 5).map(([, at]) => at);
    assert.deepEqual(await page.locator(".worst li").evaluateAll((all) => all.map(({ dataset }) => Number(dataset.ply))), worst);
    await page.getByRole("button", { name: `Try again from move ${worst[0] + 1}`, exact: true }).click();
    assert.equal(await shown(page), plies[worst[0]].board);
    assert.equal(await page.locator(".drill-over").isVisible(), false);
    const { best, value } = await position(CORNER, plies[worst[0]].board);
    await valued(page, value);
    await page.keyboard.press(KEYS[best]);
    await said(page, "is the best move");
    await page.locator(".drill-state .facts dd.note", { hasText: "taken back" }).waitFor();
  });
});

describe("a move without a choice", () => {
  visit("is named as one", link(CORNER, START), async (page) => {
    // The first board where one slide alone is allowed.
    const { plies } = await played(CORNER, START, worse);
    const at = (await Promise.all(plies.map(({ board }) => position(CORNER, board)))).findIndex(({ moves }) => moves.length === 1);
    assert.ok(at >= 0);
    await page.goto(`${here.server.address}${link(CORNER, plies[at].board)}`);
    await page.locator(`.practise .drill-state .number`).waitFor();
    assert.equal(await shown(page), plies[at].board);
    await page.keyboard.press(KEYS[plies[at].made.move]);
    await said(page, "was the only move");
    await page.locator(".drill-state .facts dd.note", { hasText: "1 without a choice" }).waitFor();
  });
});

describe("what cannot be practised is said", () => {
  test("a formation without a table, with what to do", async () => {
    const { page, close } = await open(here.browser, here.server.address, link("4x4-to-512-formation-L3-win", "0x000001001fff0fff"));
    await page.locator(".trouble", { hasText: "There is no table of 4x4-to-512-formation-L3-win" }).waitFor();
    await page.getByText("tilebase solve 4x4 --formation L3 --to 512 --out tables/L3-512").waitFor();
    assert.deepEqual(await violations(page), []);
    // It is solved on request alone, and that can be cancelled.
    assert.deepEqual((await here.server.ask("jobs")).jobs.filter(({ variant }) => /-to-512-/.test(variant)), []);
    await page.goto(`${here.server.address}${link("4x4-to-256-formation-L3-win", "0x000001001fff0fff")}`);
    await page.getByRole("button", { name: "Solve it now" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".trouble", { hasText: "cancelled" }).waitFor();
    await page.goto(`${here.server.address}${link("4x4-to-32-formation-L3t-win", "0x000001001fff0fff", "R4.2")}`);
    await page.getByRole("button", { name: "Solve it now" }).click();
    assert.equal(await shown(page), "0x000010011fff0fff");
    assert.match(await fact(page, "Best moves"), /of 1$/);
    await close();
  });

  for (const [hash, says] of [
    ["#practise?game=4x4-to-64-win", /is not a formation: write 4x4-to-64-formation-L3-win/],
    [link(L3, "0x12"), /2 hex digits/],
    [link(L3, "0x11110000ffffff00"), /No game of this formation comes to this board/],
    [link(L3, "0x000001001fff0fff", "L0.2"), /Move 1 of the link, left, is not allowed/],
    [link(L3, "0x000001001fff0fff", "R9.2"), /No 2 can fall into cell 9/],
    [link(L3, "0x000001001fff0fff", "R4.8"), /No 8 can fall into cell 4/],
    [`${link(L3, "0x000001001fff0fff")}&zebra=1`, /zebra/],
  ]) {
    visit(hash, hash, async (page) => {
      await page.locator(".trouble").first().waitFor();
      assert.match(await page.locator(".drill-wrong").textContent(), says);
      assert.equal(await page.locator(".practise .board:visible").count(), 0);
    });
  }
});

for (const colorScheme of ["light", "dark"]) {
  describe(`without a barrier, ${colorScheme}`, () => {
    visit("the chooser", "#practise", async (page) => {
      await page.getByLabel("Formation").locator("option").first().waitFor({ state: "attached" });
      assert.deepEqual(await violations(page), []);
    }, { colorScheme });
    visit("a drill, and its end", link(CORNER, START), async (page) => {
      await shown(page);
      const { moves } = await position(CORNER, START);
      await page.keyboard.press(KEYS[moves.at(-1).move]);
      await page.locator(".drill-last .move").first().waitFor();
      assert.deepEqual(await violations(page), []);
      const { text } = await played(CORNER, START, worse);
      await page.goto(`${here.server.address}${link(CORNER, START, text)}`);
      await page.locator(".worst li").first().waitFor();
      assert.deepEqual(await violations(page), []);
    }, { colorScheme });
  });
}
