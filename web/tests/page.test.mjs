// The whole page in a real browser; its areas have tests of their own.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { stage, withSmallTable } from "./helpers.mjs";

const { visit } = stage(withSmallTable);

describe("the whole page", () => {
  visit("all areas by keyboard alone", "", async (page) => {
    for (const name of ["Practise", "Lab", "Count", "Prove", "Plan", "Diagrams", "About", "Analyse"]) {
      const link = page.getByRole("link", { name, exact: true }).first();
      await link.focus();
      await page.keyboard.press("Enter");
      await page.locator("h1", { hasText: name === "Analyse" ? "2048 analysed" : name }).waitFor({ state: "attached" });
      assert.equal(await page.locator("[aria-current=page]").textContent(), name);
    }
  });

  visit("light and dark by the switch", "", async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole("button", { name: "Colours" }).click();
    await page.getByRole("button", { name: "Colours: light" }).click();
    await page.getByRole("button", { name: "Colours: dark" }).waitFor();
    assert.notEqual(await paper(), light);
    await page.reload();
    assert.notEqual(await paper(), light);
  });

  visit("loads within a second", "#analyse?game=2x2-to-16-win&board=0x1102", async (page) => {
    await page.locator(".position .moves").waitFor();
    const took = [];
    for (let i = 0; i < 3; i += 1) {
      const began = Date.now();
      await page.reload();
      await page.locator(".position .moves").waitFor();
      took.push(Date.now() - began);
    }
    console.log(`loaded and answered in ${took.join(", ")} ms`);
    // The machine may be busy with other things for a moment.
    assert.ok(Math.min(...took) < 1000, `${took} ms`);
  });
});
