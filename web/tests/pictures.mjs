// Takes the pictures of the docs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, open, serve, tilebase } from "./helpers.mjs";

const out = process.argv[2] ?? "docs/images";
const tables = mkdtempSync(join(tmpdir(), "tilebase-pictures-"));
tilebase("solve", "4x4", "--formation", "442", "--to", "32", "--out", join(tables, "442-32"));
const server = await serve("--tables", tables);
const browser = await browse();
const STRONG = "#analyse?game=4x4&board=4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.";
const GAME = "#analyse?game=3x3-to-256-win&start=0x752431010&moves=R6.2U8.4L8.2D2.2L5.4R3.2D0.4U7.2L5.2D2.2L5.2D5.2R0.4L8.2R6.2U8.2L7.2L8.2L8.4U7.2U7.2R6.2&at=26";
const DRILL = "#practise?game=4x4-to-32-formation-442-win&board=0x0000001021ffffff&moves=L0.2D0.2D0.2D0.2R5.2L1.2R2.2D1.2L2.2D7.2L3.2D3.2D1.2L7.2D2.2L2.2L1.2R4.2L2.2";
const KNOWN = ".position-body:not(.stale) .moves";

async function take(name, hash, sign, { width = 1280, height = 860, colorScheme = "light", act = null } = {}) {
  const { page, close, faults } = await open(browser, server.address, hash, { viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  await page.locator(sign).first().waitFor();
  await act?.(page);
  await page.evaluate(() => {
    document.activeElement.blur();
    scrollTo(0, 0);
  });
  await page.waitForTimeout(300);
  const path = join(out, `page-${name}.png`);
  await page.screenshot({ path });
  if (faults.length > 0) throw new Error(faults.join("\n"));
  console.log(path);
  await close();
}

try {
  await take("analyse", STRONG, KNOWN);
  await take("analyse-dark", GAME, KNOWN, { width: 1600, height: 860, colorScheme: "dark" });
  await take("review", GAME, KNOWN, { height: 1500, act: (page) => page.getByText("accuracy").first().waitFor() });
  await take("practise", DRILL, ".drill-last .move");
  await take("phone", STRONG, KNOWN, { width: 390, height: 844 });
  await take("count", "#count?kind=solve&shape=3x3&to=512&run=yes", "svg.layers", {
    colorScheme: "dark",
    act: (page) => page.waitForFunction(() => Number(document.querySelector("svg.layers .columns").dataset.layers) > 480),
  });
  await take("prove", "#prove?shape=3x3&to=512&drops=2&you=nobody", ".prove .board", {
    act: async (page) => {
      await page.getByLabel("Speed").fill("100");
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.waitForFunction(() => document.querySelectorAll(".contest-line .ply").length >= 60);
      await page.getByRole("button", { name: "Pause" }).click();
    },
  });
  await take("plan", "#plan?shape=4x4&to=256&tiles=first&at=100", ".plan .facts dd");
  await take("diagrams", "#diagrams?variant=2x2-to-8&policy=true", ".paper svg", { height: 800 });
} finally {
  await browser.close();
  await server.close();
  rmSync(tables, { recursive: true, force: true });
}
// Fewer colours are enough for them, where there is a program that knows how.
try {
  execFileSync("pngquant", ["--version"], { stdio: "ignore" });
  for (const name of ["analyse", "analyse-dark", "review", "practise", "phone", "count", "prove", "plan", "diagrams"]) {
    const path = join(out, `page-${name}.png`);
    execFileSync("pngquant", ["--force", "--output", path, "64", path]);
  }
} catch {
  // Larger files do as well.
}
