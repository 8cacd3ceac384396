// A real server and a real browser for the tests.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const root = new URL("../..", import.meta.url).pathname;
/** The program. */
export const program = process.env.TILEBASE ?? `${process.env.CARGO_TARGET_DIR ?? `${root}target`}/debug/tilebase`;
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Runs the program and reads its JSON. */
export function tilebase(...args) {
  return JSON.parse(execFileSync(program, [...args, "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
}

/** A server at a free port, unless `--port` is among the arguments, with its address. */
export async function serve(...args) {
  const server = spawn(program, ["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const address = await new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        const found = /http:\/\/[\d.]+:\d+\//.exec(line);
        if (found) resolve(found[0]);
      });
    }
    server.on("exit", (code) => reject(new Error(`tilebase serve ended with ${code}`)));
  });
  return {
    address,
    ask: async (path) => (await fetch(`${address}api/v1/${path}`)).json(),
    /** Stops it: by default as Ctrl-C does, with SIGKILL as a crash. */
    close: (signal = "SIGINT") => new Promise((resolve) => {
      server.removeAllListeners("exit");
      server.on("exit", resolve);
      server.kill(signal);
    }),
  };
}

/** A port that nobody uses now. */
export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A browser, without a sandbox where it runs as root. */
export function browse() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

/** A page, and what it must not do: say anything on its console, or ask anyone but its server.
 * `refused` is for tests whose questions are refused, `blank` for those that load the page themselves. */
export async function open(browser, address, hash = "", { refused, blank, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    // A refusal is logged by the browser, whatever the page does.
    if (refused && /status of 400/.test(message.text())) return;
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.stack));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  page.setDefaultTimeout(20_000);
  if (!blank) await page.goto(address + hash);
  return { page, faults, close: () => context.close() };
}

/** A folder, a server and a browser for all tests of a file, and `visit` for tests with a page. `prepare` may fill the
 * folder first, and gives the server's arguments. */
export function stage(prepare = () => []) {
  const here = { folder: null, server: null, browser: null, visit };
  before(async () => {
    here.folder = mkdtempSync(join(tmpdir(), "tilebase-page-"));
    [here.server, here.browser] = await Promise.all([serve(...prepare(here.folder)), browse()]);
  });
  after(async () => {
    await here.browser?.close();
    await here.server?.close();
    rmSync(here.folder, { recursive: true, force: true });
  });

  /** A test with a page that must end without faults. `prepare` may set up what the page asks. */
  function visit(name, hash, run, { prepare: setUp, ...options } = {}) {
    test(name, async () => {
      const { page, faults, close } = await open(here.browser, here.server.address, setUp ? "" : hash, options);
      try {
        if (setUp) {
          await setUp(page);
          await page.goto(here.server.address + hash);
          await page.reload();
        }
        await run(page);
        assert.deepEqual(faults, []);
      } finally {
        await close();
      }
    });
  }
  return here;
}

/** Prepares a stage whose server has a small game solved, in a folder named after it. */
export function withSmallTable(folder) {
  tilebase("solve", "2x2", "--to", "16", "--out", join(folder, "2x2-to-16"));
  return ["--tables", folder];
}

/** What axe finds wrong. */
export async function violations(page) {
  // The page's own policy forbids inline scripts, so axe comes by the debugger.
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 160)} ${n.any.map((a) => a.message).join("; ").slice(0, 200)}`).join(" | ")}`);
}

/** Whether the page is wider than the screen. On a phone `innerWidth` grows along, so it cannot tell. */
export const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** The board that is shown, as exponents. */
export async function cells(page) {
  const all = page.locator(".area .board:visible .cell");
  await all.first().waitFor();
  return all.evaluateAll((found) => found.map((cell) => Number(cell.dataset.e)));
}
