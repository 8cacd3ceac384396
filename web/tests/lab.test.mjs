// The Lab, the way to it, and a server that stops, in a real browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { cells, freePort, open, overflows, serve, stage, violations } from "./helpers.mjs";
import { rounds, sums } from "../layers.js";

const here = stage();
const { visit } = here;

/** What a click saves: its name and its bytes. */
async function saved(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: false }).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const trouble = (page) => page.locator(".trouble:visible");

describe("the way to the Lab", () => {
  visit("four areas, each with a sentence", "#lab", async (page) => {
    assert.deepEqual(await page.locator(".cards h2").allTextContents(), ["Count", "Prove", "Plan", "Diagrams"]);
    await page.getByRole("link", { name: "Plan", exact: true }).click();
    await page.locator("h1", { hasText: "Plan" }).waitFor();
    assert.deepEqual(await page.locator("[aria-current]").allTextContents(), ["Lab", "Plan"]);
    await page.goBack();
    await page.locator("h1", { hasText: "Lab" }).waitFor();
  });

  visit("an address that names nothing says so", "#zebra?x=1", async (page) => {
    assert.match(await trouble(page).textContent(), /no area called “zebra”/);
    await page.getByRole("link", { name: "Diagrams" }).click();
    await page.locator("h1", { hasText: "Diagrams" }).waitFor();
  });

  visit("names of objects are no areas either", "#constructor", async (page) => {
    await trouble(page).filter({ hasText: "constructor" }).waitFor();
  });

  visit("a plan by its old address", "#prove?show=plan", async (page) => {
    await page.locator("h1", { hasText: "Plan" }).waitFor();
  });

  visit("About says what runs", "#about", async (page) => {
    const { version } = await here.server.ask("variants");
    await page.getByText(`tilebase ${version}`).waitFor();
    for (const name of ["Docs", "API"]) {
      const href = await page.locator("header").getByRole("link", { name, exact: true }).evaluate((link) => link.href);
      assert.ok(href.startsWith(here.server.address), href);
    }
  });
});

describe("count", () => {
  test("ticks are round, and at powers of two", () => {
    assert.deepEqual(rounds(67032), [0, 20000, 40000, 60000, 80000]);
    assert.deepEqual(rounds(3), [0, 1, 2, 3]);
    assert.deepEqual(rounds(1), [0, 1]);
    assert.deepEqual(sums(4, 988, 8), [128, 256, 384, 512, 640, 768, 896]);
    assert.deepEqual(sums(4, 2000, 8), [256, 512, 768, 1024, 1280, 1536, 1792]);
    assert.deepEqual(sums(4, 30, 8), [4, 8, 12, 16, 20, 24, 28]);
  });

  visit("a live solve, then analysed", "#count?kind=solve&shape=3x3&to=64&objective=win", async (page) => {
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator(".state", { hasText: "Done: 3x3 to 64" }).waitFor();
    const { jobs } = await here.server.ask("jobs");
    const job = jobs.find((one) => one.variant === "3x3-to-64" && one.kind === "solve");
    assert.equal(await page.locator("svg.layers .columns").getAttribute("data-layers"), String(job.layers.length));
    const facts = await page.locator(".count .facts").textContent();
    assert.ok(facts.replace(/\D/g, "").includes(String(job.result.states)), facts);
    await page.getByRole("link", { name: "Analyse 3x3 to 64" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#count") === false);
    assert.match(page.url(), /3x3-to-64-win/);
  });

  visit("values by pointer and keys, and as files", "#count?kind=count&shape=3x3&to=64&run=yes", async (page) => {
    await page.locator(".state", { hasText: "Done" }).waitFor();
    const { layers } = (await here.server.ask("jobs")).jobs.find((one) => one.kind === "count" && one.variant === "3x3-to-64");
    const peak = layers.reduce((a, b) => (b.states > a.states ? b : a));
    const digits = async () => (await page.locator(".readout").textContent()).replace(/[^\d:]/g, "");
    assert.equal(await digits(), `:${peak.sum}:${peak.states}`);
    const chart = page.getByRole("slider", { name: "Layer" });
    await chart.focus();
    await page.keyboard.press("Home");
    assert.equal(await digits(), `${layers[0].sum}:${layers[0].states}`);
    await page.keyboard.press("ArrowRight");
    assert.equal(await digits(), `${layers[1].sum}:${layers[1].states}`);
    assert.match(await chart.getAttribute("aria-valuetext"), new RegExp(`Tile sum ${layers[1].sum}: `));
    await page.keyboard.press("End");
    assert.equal(await digits(), `${layers.at(-1).sum}:${layers.at(-1).states}`);
    const box = await chart.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const [sum, states] = (await digits()).split(":");
    assert.equal(layers.find((layer) => String(layer.sum) === sum).states, Number(states));
    assert.ok(Math.abs(Number(sum) - (layers[0].sum + layers.at(-1).sum) / 2) < 20, sum);
    const ticks = await page.locator("svg.layers .tick").allTextContents();
    for (const tick of ["32", "64", "128"]) assert.ok(ticks.includes(tick), ticks.join());
    const csv = await saved(page, "CSV");
    assert.equal(csv.name, "3x3-to-64-layers.csv");
    assert.equal(csv.bytes.toString(), `tile_sum,positions\n${layers.map((layer) => `${layer.sum},${layer.states}\n`).join("")}`);
    const svg = await saved(page, "SVG");
    assert.equal(svg.name, "3x3-to-64-layers.svg");
    // It is a drawing by itself, with its own style.
    await page.context().newPage().then(async (alone) => {
      await alone.setContent(svg.bytes.toString());
      assert.equal(await alone.locator("svg > title").textContent(), "Positions in each layer of 3x3-to-64");
      assert.equal(await alone.locator("svg .columns").getAttribute("data-layers"), String(layers.length));
      assert.equal(await alone.locator("svg .columns").evaluate((path) => getComputedStyle(path).fill), "rgb(0, 114, 178)");
    });
  });

  visit("reload and Back bring the same counts", "#count?kind=count&shape=2x2&to=16", async (page) => {
    assert.equal(await page.locator(".state").textContent(), "Idle");
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator(".state", { hasText: "Done: 2x2 to 16" }).waitFor();
    await page.getByLabel("Target tile").selectOption("32");
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator(".state", { hasText: "Done: 2x2 to 32" }).waitFor();
    await page.getByText("Logarithmic").click();
    const jobs = (await here.server.ask("jobs")).jobs.length;
    await page.reload();
    await page.locator(".state", { hasText: "Done: 2x2 to 32" }).waitFor();
    assert.equal(await page.getByRole("radio", { name: "Logarithmic" }).isChecked(), true);
    await page.goBack();
    await page.locator(".state", { hasText: "Done: 2x2 to 16" }).waitFor();
    assert.equal(await page.getByLabel("Target tile").inputValue(), "16");
    assert.equal((await here.server.ask("jobs")).jobs.length, jobs, "nothing is counted again");
  });

  visit("a link to a count that nobody has made yet makes it", "#count?kind=count&shape=2x3&to=32&run=yes", async (page) => {
    await page.locator(".state", { hasText: "Done: 2x3 to 32" }).waitFor();
  });

  visit("a job grows while one looks, has a rate, and is cancelled", "#count?kind=count&shape=3x4&to=1024", async (page) => {
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForFunction(() => Number(document.querySelector("svg.layers .columns")?.dataset.layers) > 3);
    await page.getByText("a second").waitFor();
    await page.getByText("Time left").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".state", { hasText: "Cancelled: 3x4 to 1024" }).waitFor();
  });

  visit("games solved to answer for a position are not listed", "#analyse?variant=3x3-to-64-score&start=0x110000000", async (page) => {
    const isOne = (job) => job.variant === "3x3-to-64" && job.objective === "score" && job.state === "done";
    for (let i = 0; i < 100 && !(await here.server.ask("jobs")).jobs.some(isOne); i += 1) await page.waitForTimeout(100);
    assert.ok((await here.server.ask("jobs")).jobs.some(isOne));
    await page.evaluate(() => { location.hash = "#count"; });
    await page.locator(".jobs li").first().waitFor();
    assert.doesNotMatch(await page.locator(".jobs").textContent(), /most points/);
  });

  visit("too large a game is refused in words", "#count?kind=solve&shape=4x4&to=2048", async (page) => {
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("is too large for a job").waitFor();
    assert.doesNotMatch(await trouble(page).textContent(), /--/);
  }, { refused: true });

  visit("a bad link says what is wrong", "#count?kind=guess&shape=3&to=100&run=yes&zebra=1", async (page) => {
    const text = await trouble(page).textContent();
    for (const part of [/kind can be count, solve, not “guess”/, /'3' is not a/, /“100” is not a target tile/, /“zebra” means nothing here/]) assert.match(text, part);
  });
});

describe("prove", () => {
  const ends = (page, side) => page.locator(`.says[data-end="${side}"]`);

  visit("you drop, and the proven strategy slides to its win", "#prove", async (page) => {
    for (let i = 0; i < 60; i += 1) {
      await page.locator('.says[data-end="slider"], .board[data-mode="drop"]:visible').first().waitFor();
      if (await ends(page, "slider").count() > 0) break;
      await page.locator('.board:visible .cell[data-e="0"]').last().click();
      await page.waitForFunction(() => !/…$/.test(document.querySelector(".says").textContent));
    }
    assert.match(await page.locator(".says").textContent(), /Slider has the 16/);
    assert.ok(Math.max(...await cells(page)) >= 4);
  });

  visit("you slide, and the proven strategy drops to its win", "#prove", async (page) => {
    await page.getByLabel("Contest", { exact: true }).selectOption("2x2 16 2,4");
    const keys = ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"];
    await page.getByText("Your turn: slide").waitFor();
    // The list that was just used does not keep the arrow keys.
    await page.getByLabel("Contest", { exact: true }).focus();
    for (let i = 0; i < 200 && await ends(page, "dropper").count() === 0; i += 1) {
      await page.keyboard.press(keys[i % 4]);
      await page.waitForFunction(() => !/…$/.test(document.querySelector(".says").textContent));
    }
    assert.match(await page.locator(".says").textContent(), /Dropper wins/);
  });

  visit("tiles are dropped by keys alone", "#prove?shape=3x3&to=32&drops=2,4", async (page) => {
    await page.locator('.board[data-mode="drop"]').waitFor();
    await page.locator('.cell[tabindex="0"]').focus();
    for (let i = 1; i <= 3; i += 1) {
      await page.keyboard.press("Enter");
      await page.waitForFunction((n) => document.querySelectorAll(".contest-line .ply").length === n && document.activeElement.matches(".cell"), 2 * i);
    }
  });

  visit("both sides play by themselves, and any move can be gone to", "#prove?shape=2x3&to=16&drops=2&you=nobody", async (page) => {
    await page.getByLabel("Speed").fill("100");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await ends(page, "slider").waitFor();
    const plies = await page.locator(".contest-line .ply").count();
    assert.ok(plies >= 8, `Dropper resists: ${plies}`);
    assert.match(await page.locator(".contest-line .ply").first().textContent(), /^Dropper: 2 at \d,\d$/);
    const last = await cells(page);
    await page.locator(".contest-line .ply").nth(2).click();
    assert.equal(await page.locator(".contest-line .ply[aria-current]").count(), 1);
    assert.equal((await cells(page)).reduce((sum, e) => sum + (e > 0 ? 2 ** e : 0), 0), 4);
    await page.waitForFunction(() => location.hash.endsWith("&at=3"));
    await page.reload();
    await page.locator(".contest-line .ply[aria-current]").waitFor();
    assert.equal(await page.locator(".contest-line .ply").count(), plies);
    assert.equal((await cells(page)).reduce((sum, e) => sum + (e > 0 ? 2 ** e : 0), 0), 4);
    await page.getByRole("button", { name: "To the end" }).click();
    assert.deepEqual(await cells(page), last);
  });

  visit("the other side answers by itself, whichever you play", "#prove?shape=2x2&to=16&drops=2&you=slider", async (page) => {
    await page.getByText("Your turn: slide").waitFor();
    assert.equal(await page.locator(".contest-line .ply").count(), 1);
    await page.locator(".slides button:enabled, .buttons button[data-move]:enabled").first().click();
    await page.waitForFunction(() => document.querySelectorAll(".contest-line .ply").length === 3);
    await page.getByText("Your turn: slide").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Your turn: slide").waitFor();
    assert.equal(await page.locator(".contest-line .ply[aria-current]").textContent(), await page.locator(".contest-line .ply").first().textContent());
    await page.getByRole("button", { name: "Restart" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".contest-line .ply").length === 1);
  });

  visit("Back comes back to the contest before", "#prove?shape=2x3&to=16&drops=2&line=0.2R", async (page) => {
    await page.locator(".contest-line .ply").nth(1).waitFor();
    await page.getByLabel("Contest", { exact: true }).selectOption("2x2 32 2");
    await page.getByText("out of reach on this board").waitFor();
    await page.goBack();
    await page.getByText("Slider can force the 16").waitFor();
    assert.deepEqual(await page.locator(".contest-line .ply").allTextContents(), ["Dropper: 2 at 1,1", "Slider: → right"]);
  });

  visit("a bad link says which move is wrong", "#prove?shape=2x3&to=16&drops=2&line=0.2L", async (page) => {
    await trouble(page).filter({ hasText: "its move 2, L, is not possible" }).waitFor();
  });
});

describe("plan", () => {
  visit("found and played back, and the same after a reload", "#plan", async (page) => {
    const plan = await here.server.ask("plan?shape=4x4&to=64&spawn_rule=first");
    await page.getByText(`64 after ${plan.steps} slides`).waitFor();
    await page.getByRole("button", { name: "One step", exact: true }).click();
    await page.getByText(`Slide 1 of ${plan.steps}`).waitFor();
    await page.waitForFunction(() => location.hash === "#plan?shape=4x4&to=64&tiles=first&at=1");
    await page.reload();
    await page.getByText(`Slide 1 of ${plan.steps}`).waitFor();
    await page.getByLabel("Speed").fill("100");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText(`Slide ${plan.steps} of ${plan.steps}`).waitFor();
    assert.equal(Math.max(...await cells(page)), 6);
    assert.match(await page.getByRole("link", { name: "Analyse this position" }).getAttribute("href"), /^#analyse\?variant=4x4&start=0x/);
  });

  visit("Back comes back to the plan before", "#plan?shape=3x3&to=32&tiles=best", async (page) => {
    await page.getByText("32 after").waitFor();
    await page.getByLabel("Target tile").selectOption("16");
    await page.getByRole("button", { name: "Find a plan" }).click();
    await page.getByText("16 after").waitFor();
    await page.goBack();
    await page.getByText("32 after").waitFor();
    assert.equal(await page.getByLabel("Target tile").inputValue(), "32");
  });

  visit("a bad link says what is wrong", "#plan?to=99&tiles=nowhere&at=x", async (page) => {
    const text = await trouble(page).textContent();
    for (const part of [/“99” is not a target tile/, /tiles can be first, best, random, worst, not “nowhere”/, /at is a whole number/]) assert.match(text, part);
  });

  visit("what cannot be is refused in words", "#plan?shape=2x2&to=64", async (page) => {
    await trouble(page).filter({ hasText: "cannot be made on a 2x2 board" }).waitFor();
  }, { refused: true });
});

describe("diagrams", () => {
  visit("zoomed and moved", "#diagrams", async (page) => {
    await page.locator(".paper svg").waitFor();
    const box = () => page.locator(".paper svg").getAttribute("viewBox").then((text) => text.split(" ").map(Number));
    const full = await box();
    assert.match(await page.locator(".paper svg").textContent(), /15 live states/);
    await page.locator(".paper").focus();
    await page.keyboard.press("+");
    const near = await box();
    assert.ok(near[2] < full[2]);
    await page.keyboard.press("ArrowRight");
    assert.ok((await box())[0] > near[0]);
    await page.mouse.move(600, 500);
    await page.mouse.down();
    await page.mouse.move(650, 520, { steps: 3 });
    await page.mouse.up();
    const moved = await box();
    assert.ok(moved[0] < near[0] + near[2] / 10);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((width) => Number(document.querySelector(".paper").shadowRoot.querySelector("svg").getAttribute("viewBox").split(" ")[2]) < width, moved[2]);
    await page.keyboard.press("0");
    assert.deepEqual(await box(), full);
    await page.getByLabel("Game").selectOption("2x2-to-16");
    await page.waitForFunction(() => document.querySelector(".paper").shadowRoot.textContent.includes("2x2-to-16"));
    await page.goBack();
    await page.waitForFunction(() => document.querySelector(".paper").shadowRoot.textContent.includes("2x2-to-8"));
    assert.equal(await page.getByLabel("Game").inputValue(), "2x2-to-8");
  });

  visit("boards are links, by pointer", "#diagrams?variant=2x2-to-8&policy=false", async (page) => {
    const links = page.locator(".paper svg a");
    await links.first().waitFor();
    assert.equal(await links.count(), 15);
    const href = await links.nth(3).getAttribute("href");
    assert.match(href, /^#analyse\?variant=2x2-to-8&start=0x[0-9a-f]{4}$/);
    // Dragging over a board moves the sheet and follows nothing.
    const box = await links.nth(3).boundingBox();
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 40, box.y + 20, { steps: 4 });
    await page.mouse.up();
    assert.match(page.url(), /#diagrams/);
    await links.nth(3).click();
    await page.waitForFunction(() => !location.hash.startsWith("#diagrams"));
    assert.ok(page.url().includes(href.split("start=")[1]), page.url());
  });

  visit("boards are links, by keys", "#diagrams?variant=2x2-to-8", async (page) => {
    await page.locator(".paper svg a").first().waitFor();
    await page.locator(".paper").focus();
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate(() => document.querySelector(".paper").shadowRoot.activeElement?.querySelector("title").textContent);
    const first = await focused();
    assert.match(first, /^Analyse .+, value 1$/);
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await focused(), first);
    await page.keyboard.press("Escape");
    assert.equal(await focused(), undefined);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !location.hash.startsWith("#diagrams"));
  });

  visit("saved as files", "#diagrams?variant=2x2-to-8&policy=true", async (page) => {
    await page.locator(".paper svg").waitFor();
    const svg = await saved(page, "SVG");
    assert.equal(svg.name, "2x2-to-8-best.svg");
    assert.match(svg.bytes.toString(), /^<svg[^]*<\/svg>\s*$/);
    const dot = await saved(page, "DOT");
    assert.equal(dot.name, "2x2-to-8-best.dot");
    assert.match(dot.bytes.toString(), /^digraph "2x2-to-8" \{/);
    const png = await saved(page, "PNG");
    assert.equal(png.name, "2x2-to-8-best.png");
    assert.deepEqual([...png.bytes.subarray(1, 4)], [...Buffer.from("PNG")]);
    assert.ok(png.bytes.readUInt32BE(16) > 2000, "two pixels for each unit");
  });

  visit("dark where the page is", "#diagrams?variant=2x2-to-8", async (page) => {
    await page.locator(".paper svg").waitFor();
    const light = await page.evaluate(() => {
      const svg = document.querySelector(".paper").shadowRoot.querySelector("svg");
      const level = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 3;
      return [level(getComputedStyle(svg.querySelector("rect")).fill), level(getComputedStyle(svg.querySelector("text")).fill)];
    });
    assert.ok(light[0] < 60 && light[1] > 180, String(light));
  }, { colorScheme: "dark" });

  visit("a bad link, and a game that is too large", "#diagrams?variant=zebra", async (page) => {
    await trouble(page).filter({ hasText: "'zebra' is not a game" }).waitFor();
    await page.evaluate(() => { location.hash = "#diagrams?variant=3x3-to-16"; });
    await trouble(page).filter({ hasText: "too large to draw" }).waitFor();
  }, { refused: true });
});

describe("a server that stops and comes back", () => {
  /** A page on a server of its own; `run` gets it and what stops and starts the server. */
  function survive(name, hash, run) {
    test(name, async () => {
      const port = String(await freePort());
      let mine = await serve("--port", port);
      const { page, faults, close } = await open(here.browser, mine.address, hash);
      try {
        await run(page, {
          stop: async (signal) => {
            await mine.close(signal);
            mine = null;
          },
          start: async () => { mine = await serve("--port", port); },
        });
        // The browser logs every request that is not answered.
        assert.deepEqual(faults.filter((fault) => !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/.test(fault)), []);
      } finally {
        await close();
        await mine?.close();
      }
    });
  }
  const away = (page) => page.locator("#away", { hasText: "The server does not answer. Trying again…" }).waitFor();
  const back = (page) => page.locator("#away:empty").waitFor({ state: "attached" });

  survive("diagrams", "#diagrams?variant=2x2-to-8", async (page, { stop, start }) => {
    await page.locator(".paper svg").waitFor();
    await stop();
    await page.getByLabel("Game").selectOption("2x2-to-16");
    await away(page);
    await start();
    await page.waitForFunction(() => document.querySelector(".paper").shadowRoot.textContent.includes("2x2-to-16"));
    await back(page);
  });

  survive("plan", "#plan", async (page, { stop, start }) => {
    await page.getByText("64 after").waitFor();
    await stop();
    await page.getByLabel("Target tile").selectOption("32");
    await page.getByRole("button", { name: "Find a plan" }).click();
    await away(page);
    await start();
    await page.getByText("32 after").waitFor();
  });

  survive("prove", "#prove", async (page, { stop, start }) => {
    await page.locator('.board[data-mode="drop"]').waitFor();
    await stop();
    await page.locator('.cell[data-e="0"]').first().click();
    await away(page);
    await start();
    await page.locator(".contest-line .ply").nth(1).waitFor();
    await page.getByText("Your turn").waitFor();
  });

  survive("a job that runs is lost, and started again", "#count?kind=count&shape=3x4&to=1024", async (page, { stop, start }) => {
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForFunction(() => Number(document.querySelector("svg.layers .columns")?.dataset.layers) > 3);
    // A server that is stopped in an orderly way says that it cancels its jobs; one that crashes does not.
    await stop("SIGKILL");
    await away(page);
    await start();
    await page.locator(".state", { hasText: "3x4 to 1024 was lost when the server stopped." }).waitFor();
    await page.getByRole("button", { name: "Start again" }).click();
    await page.waitForFunction(() => Number(document.querySelector("svg.layers .columns")?.dataset.layers) > 3);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".state", { hasText: "Cancelled" }).waitFor();
  });

  survive("a job that is asked for meanwhile is begun", "#count?kind=count&shape=2x2&to=16", async (page, { stop, start }) => {
    await page.getByText("Nothing yet").waitFor();
    await stop();
    await page.getByRole("button", { name: "Start" }).click();
    await away(page);
    await start();
    await page.locator(".state", { hasText: "Done: 2x2 to 16" }).waitFor();
  });

  survive("a position that is asked for meanwhile is answered", "#analyse?variant=2x2-to-16-win&start=0x1102", async (page, { stop, start }) => {
    await page.locator(".board .cell").first().waitFor();
    await stop();
    await page.evaluate(() => { location.hash = "#analyse?variant=2x2-to-16-win&start=0x2211"; });
    await away(page);
    await start();
    await back(page);
    assert.deepEqual(await cells(page), [2, 2, 1, 1]);
    await page.waitForFunction(() => /%|0\.\d|1\.\d/.test(document.querySelector("main").textContent));
  });

  survive("an area that was not opened yet comes when the server does", "#about", async (page, { stop, start }) => {
    await page.getByText("tilebase 0").waitFor();
    await stop();
    await page.evaluate(() => { location.hash = "#plan?to=32"; });
    await away(page);
    await start();
    await page.getByText("32 after").waitFor();
  });
});

const AREAS = {
  lab: ["#lab", ".cards"],
  about: ["#about", ".cards"],
  "an address that names nothing": ["#zebra", ".trouble"],
  count: ["#count?kind=count&shape=3x3&to=32&run=yes", "svg.layers"],
  prove: ["#prove", '.board[data-mode="drop"]'],
  "prove, a line": ["#prove?shape=3x3&to=64&drops=2,4&you=slider&line=0.2R", ".contest-line .ply"],
  plan: ["#plan", ".plan .facts dd"],
  diagrams: ["#diagrams", ".paper svg"],
};

for (const colorScheme of ["light", "dark"]) {
  describe(`the Lab without a barrier, ${colorScheme}`, () => {
    for (const [name, [hash, sign]] of Object.entries(AREAS)) {
      visit(name, hash, async (page) => {
        await page.locator(sign).first().waitFor();
        assert.deepEqual(await violations(page), []);
      }, { colorScheme });
    }
  });
}

describe("the Lab on a phone", () => {
  for (const [name, [hash, sign]] of Object.entries(AREAS)) {
    visit(name, hash, async (page) => {
      await page.locator(sign).first().waitFor();
      assert.equal(await overflows(page), false);
    }, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  }
});
