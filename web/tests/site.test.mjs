// The static site in a real browser: written by the program, served as plain files below a path,
// answered by the engine, compared with the server. Needs the engine that scripts/wasm builds.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { browse, open, program, serve, violations } from "./helpers.mjs";

const root = new URL("../..", import.meta.url).pathname;
const engine = process.env.ENGINE ?? `${process.env.CARGO_TARGET_DIR ?? `${root}target`}/wasm/web`;
const skip = existsSync(`${engine}/tilebase_wasm_bg.wasm`) ? false : "no engine: run scripts/wasm";
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json" };
/** A site works below any path. */
const BELOW = "/some/where/";

/** Bytes that are sent at a time. */
const PIECE = 16_384;
/** 10 Mbit/s, and milliseconds until an answer begins. */
const SLOW = 1.25e6;
const LATENCY = 40;

let dir, host, slow, address, server, browser;

before(async () => {
  if (skip) return;
  dir = mkdtempSync(join(tmpdir(), "tilebase-site-"));
  execFileSync(program, ["site", "--engine", engine, "--out", `${dir}/site`]);
  host = await hostSite(`${dir}/site`);
  slow = await hostSite(`${dir}/site`, { bytesPerSecond: SLOW, latency: LATENCY });
  address = host.address;
  [server, browser] = await Promise.all([serve(), browse()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
  host?.close();
  slow?.close();
  if (dir) rmSync(dir, { recursive: true });
});

/** Serves files below a path. With a limit, all connections share it, as they share a line: unlike the debugger's
 * throttling, this holds for workers too. */
async function hostSite(root, { bytesPerSecond = Infinity, latency = 0 } = {}) {
  let free = 0;
  const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(pathname.replace(BELOW, "/")).replace(/\/$/, "/index.html");
    const found = pathname.startsWith(BELOW) && existsSync(`${root}${path}`);
    const body = found ? readFileSync(`${root}${path}`) : Buffer.alloc(0);
    await sleep(latency);
    response.writeHead(found ? 200 : 404, { "content-type": KINDS[extname(path)] ?? "application/octet-stream", "content-length": body.length });
    if (bytesPerSecond === Infinity) return response.end(body);
    for (let at = 0; at < body.length && !response.destroyed; at += PIECE) {
      const piece = body.subarray(at, at + PIECE);
      // What a busy machine sends late is made up for, within a tenth of a second.
      free = Math.max(free, performance.now() - 100) + (1000 * piece.length) / bytesPerSecond;
      await sleep(free - performance.now());
      response.write(piece);
    }
    response.end();
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return {
    address: `http://127.0.0.1:${server.address().port}${BELOW}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A player's board, and one where a slide ends the game nearly at once. */
const STRONG = "4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.";
const TRAP = "4,2,4,8/2,8,128,16/4,32,4,2/8,64,8,2";

/** Waits until a page shows values of a position. */
const answered = (page) => page.locator(".position-body:not(.stale) .moves").waitFor({ timeout: 60_000 });

/** Asks the engine in a page. */
const ask = (page, path, query) => page.evaluate(async ([path, query]) => (await import("./local.js")).ask(path, query), [path, query]);

const send = (page, path, body) => page.evaluate(async ([path, body]) => (await import("./local.js")).send(path, body), [path, body]);

/** An answer without what depends on the machine. */
const timeless = (answer) => ("seconds" in answer ? { ...answer, seconds: 0, bytes_per_node: 0 } : answer);

test("the engine answers as the server does", { skip }, async () => {
  const { page, faults, close } = await open(browser, address);
  // These wait for the full network.
  for (const [path, body] of [
    ["positions", { variant: "4x4", boards: [STRONG, TRAP, "zebra"] }],
    ["verdicts", { variant: "4x4-to-2048", start: TRAP, moves: [{ move: "up", cell: 15, tile: 2 }] }],
  ]) {
    const answer = await fetch(`${server.address}api/v1/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    assert.deepEqual(await send(page, path, body), await answer.json(), path);
  }
  for (const [path, query] of [
    ["position", { variant: "4x4", board: STRONG, depth: 2 }],
    ["position", { variant: "4x4-to-2048", board: STRONG, depth: 2 }],
    ["position", { variant: "2x2-to-16", board: "2,2/.,4" }],
    ["position", { variant: "2x3-to-32", board: "0x110000" }],
    ["spawns", { variant: "2x2-to-16", afterstate: "0x2020" }],
    ["line", { variant: "2x3-to-32", seed: 7 }],
    ["strategy", { shape: "2x2", to: 16, drops: "2" }],
    ["plan", { shape: "3x3", to: 64 }],
    ["advice", { board: "0x0012003400560000", depth: 2 }],
  ]) {
    const expected = await server.ask(`${path}?${new URLSearchParams(query)}`);
    assert.deepEqual(timeless(await ask(page, path, query)), timeless(expected), path);
  }
  assert.match(await ask(page, "diagram", { variant: "2x2-to-8" }), /^<svg|^<\?xml/);
  const refused = page.evaluate(async () => {
    const { ask } = await import("./local.js");
    return ask("position", { variant: "2x2-to-16", board: "zebra" }).catch(({ message, status }) => ({ message, status }));
  });
  assert.deepEqual(await refused, { message: (await server.ask("position?variant=2x2-to-16&board=zebra")).error, status: 400 });
  assert.deepEqual(faults, []);
  await close();
});

test("every area works without a server", { skip }, async () => {
  const { page, faults, close } = await open(browser, address);
  await answered(page);
  await page.goto(`${address}#count?kind=count&shape=3x3&to=64`);
  await page.locator(".area.count").getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".state", { hasText: "Done: 3x3 to 64" }).waitFor();
  await page.goto(`${address}#prove`);
  await page.locator('.board[data-mode="drop"]').waitFor();
  await page.goto(`${address}#prove?show=plan`);
  await page.locator(".area.plan .facts dd").first().waitFor();
  await page.goto(`${address}#diagrams`);
  await page.locator(".paper svg").waitFor();
  await page.goto(`${address}#explore?variant=4x4-to-2048&start=0x1102000000000000`);
  await page.getByText("Estimate: searched").waitFor();
  await page.goto(`${address}#about`);
  await page.locator("h1", { hasText: "About" }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("tables that came with the site are fetched when they are asked", { skip }, async () => {
  const { page, faults, close } = await open(browser, address);
  const shipped = async () => (await ask(page, "variants")).variants.map(({ id, source }) => [id, source]);
  assert.deepEqual(await shipped(), [["3x3-to-64-win", "table"], ["3x3-to-128-win", "table"]]);
  const position = await ask(page, "position", { variant: "3x3-to-64", board: "2,2,./.,.,./.,.,." });
  const expected = await server.ask("position?variant=3x3-to-64&board=2,2,./.,.,./.,.,.");
  const moves = expected.moves.map((move) => ({ ...move, source: "table" }));
  assert.deepEqual(position, { ...expected, source: "table", moves });
  assert.equal((await shipped()).length, 2);
  assert.deepEqual(faults, []);
  await close();
});

test("jobs report their progress, leave a table, and can be cancelled", { skip }, async () => {
  const { page, faults, close } = await open(browser, address);
  const seen = await page.evaluate(async () => {
    const { ask, cancel, follow, send } = await import("./local.js");
    const events = [];
    const over = (job) => new Promise((end) => follow(`jobs/${job.id}/events`, {
      layers: ({ layers }) => events.push(["layers", layers.length]),
      progress: ({ state, phase }) => events.push([state, phase]),
      end,
    }));
    const ended = await over(await send("jobs", { kind: "solve", variant: "2x4-to-128" }));
    const again = await over(await send("jobs", { kind: "solve", variant: "2x4-to-128" }));
    const position = await ask("position", { variant: "2x4-to-128", board: "0x11000000" });
    const long = await send("jobs", { kind: "count", shape: "4x4", to: 32 });
    const cancelled = await cancel(`jobs/${long.id}`);
    const { jobs } = await ask("jobs");
    const late = await ask("jobs/99").catch(({ status }) => status);
    return { events, ended, again, position, cancelled, states: jobs.map(({ state }) => state), late };
  });
  assert.equal(seen.ended.state, "done");
  assert.equal(seen.ended.result.table, "2x4-to-128-win");
  // A table has no layers without a live state.
  assert.deepEqual(seen.again.layers, seen.ended.layers.filter(({ states }) => states > 0));
  assert(seen.events.some(([name]) => name === "running"), JSON.stringify(seen.events));
  assert.equal(seen.position.source, "exact");
  assert.equal(seen.cancelled.state, "cancelled");
  assert.deepEqual(seen.states, ["cancelled", "done", "done"]);
  assert.equal(seen.late, 404);
  assert.deepEqual(faults, []);
  await close();
});

/** Milliseconds until a site that was never seen shows values. */
async function timed(site, hash, look) {
  const { page, faults, close } = await open(browser, site, "", { blank: true });
  const began = performance.now();
  await page.goto(site + hash);
  await answered(page);
  const took = performance.now() - began;
  await look?.(page, took);
  assert.deepEqual(faults, []);
  await close();
  return took;
}

/** Checks that values come within a time at 10 Mbit/s, in one of three tries. A machine that is slow with a fast line too
 * gets that time on top: other tests may run beside this one. */
async function withinAtTenMegabits(limit, hash, look) {
  const fast = await timed(host.address, hash);
  const most = limit + Math.max(0, fast - 700);
  const took = [];
  while (took.length < 3 && !took.some((one) => one < most)) took.push(await timed(slow.address, hash, look));
  console.log(`${hash}: ${took.map(Math.round).join(", ")} ms at 10 Mbit/s, ${Math.round(fast)} ms from this machine`);
  assert.ok(took.at(-1) < most, `${took} ms, not ${most}`);
}

test("the slow host is slow, for workers too", { skip }, async () => {
  const { page, close } = await open(browser, slow.address, "#about");
  const speed = (where) => where.evaluate(async (file) => {
    const began = performance.now();
    const { byteLength } = await (await fetch(file, { cache: "no-store" })).arrayBuffer();
    return (8 * byteLength) / 1e3 / (performance.now() - began);
  }, `${slow.address}tables/3x3-to-64-win.table.zlib`);
  const [worker] = page.workers();
  for (const [name, where] of [["page", page], ["worker", worker]]) {
    const found = await speed(where);
    console.log(`the ${name} loads ${found.toFixed(1)} Mbit/s`);
    assert.ok(found < 11.5, `${found} Mbit/s`);
  }
  await close();
});

test("at 10 Mbit/s an exact answer is there in 3 s", { skip, timeout: 120_000 }, async () => {
  await withinAtTenMegabits(3000, "#analyse?game=3x3-to-64-win&board=16,8,2/8,4,./2,.,.", async (page) => {
    assert.match(await page.locator(".position").textContent(), /Exact: from a table/);
  });
});

test("at 10 Mbit/s an estimate of 4x4 is there in 10 s", { skip, timeout: 240_000 }, async () => {
  await withinAtTenMegabits(10_000, `#analyse?game=4x4&board=${STRONG}`, async (page) => {
    const text = await page.locator(".position").textContent();
    assert.match(text, /Estimate: searched/);
    assert.match(text, /the full network is still loading/);
    await page.locator(".loading", { hasText: /the full network is loading …( [\d.]+ of 23\.0 MB)?/ }).waitFor();
  });
});

test("the full network takes the place of the small one, and the estimate with it", { skip, timeout: 240_000 }, async () => {
  const { page, faults, close } = await open(browser, slow.address, "#about");
  await page.evaluate(async () => {
    window.news = [];
    (await import("./local.js")).onloading((news) => window.news.push(news));
    location.hash = "#analyse?game=4x4&board=4,2,4,8/2,8,128,16/4,32,4,2/8,64,8,2";
  });
  await answered(page);
  const quick = page.locator(".position", { hasText: "the full network is still loading" });
  await quick.waitFor();
  const bar = page.locator(".loading progress");
  await page.waitForFunction(() => document.querySelector(".loading progress")?.value > 1e6);
  assert.deepEqual(await violations(page), []);
  // Exact answers do not wait for it.
  const small = await ask(page, "position", { variant: "2x2-to-16", board: "2,2/.,4" });
  assert.equal(small.source, "exact");
  const before = await ask(page, "position", { variant: "4x4", board: TRAP, depth: 3 });
  assert.equal(before.search.quick, true);
  // A review is made once, so it waits for the full network.
  const reviewed = send(page, "verdicts", { variant: "4x4", start: STRONG, moves: [{ move: "left", cell: 15, tile: 2 }] });
  await page.locator(".loading").waitFor({ state: "hidden", timeout: 120_000 });
  assert.equal((await reviewed).moves.length, 1);
  await quick.waitFor({ state: "hidden" });
  await answered(page);
  assert.equal(await bar.isVisible(), false);
  // From here on the answers are the server's.
  for (const board of [TRAP, STRONG]) {
    const query = { variant: "4x4", board, depth: 3 };
    const expected = await server.ask(`position?${new URLSearchParams(query)}`);
    assert.deepEqual(await ask(page, "position", query), expected);
    if (board === TRAP) assert.ok(expected.moves.find(({ move }) => move === "down").further_score < 0.5 * expected.further_score);
  }
  const news = await page.evaluate(() => window.news);
  for (const [what, full] of [["network", false], ["network", true]]) {
    const part = news.filter((one) => one.what === what && one.full === full);
    assert.ok(part.length > 4 && part.at(-1).done && !part.some(({ failed }) => failed), `${what} ${full}`);
    assert.ok(part.some(({ loaded, total }) => loaded > 0 && loaded < total), `${what} ${full}`);
  }
  // The memory of one network, and of the file while it was read.
  const bytes = await page.workers()[0].evaluate(async () => {
    const engine = await import(new URL("engine/tilebase_wasm.js", location.href));
    return (await engine.default()).memory.buffer.byteLength;
  });
  console.log(`the engine takes ${bytes >> 20} MiB with the full network`);
  assert.ok(bytes < 480 * 2 ** 20, `${bytes >> 20} MiB`);
  assert.deepEqual(faults, []);
  await close();
});

test("a table that would take long is solved instead, and networks that are missing are done without", { skip, timeout: 120_000 }, async () => {
  const { page, faults, close } = await open(browser, slow.address, "#analyse?game=3x3-to-128-win&board=.,.,2/.,.,./.,2,.");
  await answered(page);
  assert.match(await page.locator(".position").textContent(), /Exact: this game is fully solved/);
  assert.deepEqual(faults, []);
  await close();
  const other = await open(browser, address, "#about");
  await other.page.context().route(/\.network$/, (route) => route.abort());
  await other.page.goto(`${address}#analyse?game=4x4&board=${STRONG}`);
  await answered(other.page);
  assert.match(await other.page.locator(".position").textContent(), /no unit/);
  await other.page.locator(".loading", { hasText: "could not be loaded" }).waitFor();
  await other.close();
});

test("the AI plays at hundreds of moves a second", { skip, timeout: 120_000 }, async () => {
  const { page, faults, close } = await open(browser, address, "", { blank: true });
  await page.addInitScript(() => {
    window.asked = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function post(message, ...rest) {
      window.asked.push(message.args?.path);
      return postMessage.call(this, message, ...rest);
    };
  });
  // Its largest tiles stand in the formations free7 and free8, and do so after most moves.
  await page.goto(`${address}#analyse?game=4x4&board=0xca87235601220221`);
  await answered(page);
  // Reading the full network takes a while on a slow machine, and is not what is measured.
  await page.locator(".position", { hasText: "the full network is still loading" }).waitFor({ state: "hidden", timeout: 60_000 });
  await page.locator(".formation").first().waitFor();
  await page.getByRole("button", { name: "Watch the AI" }).click();
  await page.getByLabel("Speed").selectOption("300");
  await page.evaluate(() => { window.asked = []; });
  const moves = async () => Number((await page.locator(".facts dd").nth(1).textContent()).replace(/\D/g, ""));
  await page.getByRole("button", { name: "▶ Play" }).click();
  // The best of some seconds: other programs may take a slow machine's time now and then.
  const rates = [];
  while (rates.length < 8 && !rates.some((rate) => rate > 100)) {
    const [began, before] = [performance.now(), await moves()];
    await page.waitForTimeout(1000);
    rates.push((1000 * (await moves() - before)) / (performance.now() - began));
  }
  console.log(`the AI made ${rates.map(Math.round).join(", ")} moves a second`);
  assert.ok(Math.max(...rates) > 100, `${rates}`);
  // Lines are searched alone. A position would solve its formations first.
  const asked = new Set(await page.evaluate(() => window.asked.filter(Boolean)));
  assert.deepEqual([...asked], ["line"]);
  assert.deepEqual(faults, []);
  await close();
});

test("a formation is practised without a server", { skip, timeout: 120_000 }, async () => {
  const { page, faults, close } = await open(browser, address, "#practise");
  const game = "4x4-to-16-formation-L3-win";
  const fetched = [];
  page.on("request", (request) => fetched.push(request.url()));
  await page.evaluate(async (variant) => {
    const { follow, send } = await import("./local.js");
    const job = await send("jobs", { kind: "solve", variant });
    await new Promise((end) => { follow(`jobs/${job.id}/events`, { end }); });
  }, game);
  await page.evaluate((hash) => { location.hash = hash; }, `#practise?game=${game}&board=0x000001001fff0fff`);
  await page.locator(".practise .board .cell").first().waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator(".practise .verdict", { hasText: "Right is" }).waitFor();
  assert.deepEqual(fetched.filter((url) => url.endsWith(".network")), [], "a table needs no network");
  await page.getByRole("button", { name: "Another start" }).first().click();
  await page.locator(".drill-state .facts dd", { hasText: "0 of 0" }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});
