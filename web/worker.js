// The engine in a worker: it answers questions, or does one job.

import init, { Laboratory } from "./engine/tilebase_wasm.js";

/** Where a file of the site is. */
const at = (path) => new URL(path, import.meta.url);

const ready = (async () => {
  await init({ module_or_path: at("engine/tilebase_wasm_bg.wasm") });
  return new Laboratory();
})();

/** Tables that came with the site: what is said of them, and their files. */
const shipped = (async () => {
  const response = await fetch(at("tables/index.json"));
  return response.ok ? (await response.json()).tables : [];
})().catch(() => []);

async function bytes(path) {
  const response = await fetch(at(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

const loaded = new Map();

/** Does something once; what fails is tried again the next time. */
function once(name, work) {
  if (!loaded.has(name)) loaded.set(name, work().catch((error) => (loaded.delete(name), Promise.reject(error))));
  return loaded.get(name);
}

/** Fetches the table of a variant, if it came with the site and is not here yet. */
async function fetchTable(lab, variant) {
  const id = variant && lab.id(variant);
  if (!id || lab.has(id)) return;
  const table = (await shipped).find((table) => table.entry.id === id);
  // A table that does not come is no worse than none: small games are solved here.
  if (table) await once(id, async () => lab.adopt(await bytes(`tables/${table.file}`), false)).catch(() => {});
  loaded.delete(id);
}

/** Fetches the learned weights, if a search on 4x4 would use them. */
async function fetchWeights(lab, path, query) {
  const shape = query.get("shape") ?? "4x4";
  const searched = path === "advice" ? shape === "4x4" : query.get("search") === "true" && (query.get("variant") ?? "").startsWith("4x4");
  // Without them the search uses its other evaluation, and says so.
  if (searched) await once("weights", async () => lab.loadWeights(await bytes("engine/4x4.network"))).catch(() => {});
}

const calls = {
  version: async (lab) => lab.version,
  async ask(lab, { path, query }) {
    const parameters = new URLSearchParams(query);
    await fetchTable(lab, parameters.get("variant"));
    await fetchWeights(lab, path, parameters);
    const answer = lab.ask(path, query);
    if (path !== "variants" || answer.status !== 200) return answer;
    // Tables that came with the site can be asked, wherever they are.
    const told = JSON.parse(answer.body);
    const away = (await shipped).map(({ entry }) => entry).filter(({ id }) => !lab.has(id));
    return { ...answer, body: JSON.stringify({ ...told, variants: [...away, ...told.variants] }) };
  },
  async send(lab, { path, body }) {
    await fetchTable(lab, JSON.parse(body)?.variant);
    return lab.send(path, body);
  },
  async job(lab, { id, body }) {
    const job = lab.job(id, body);
    await fetchTable(lab, job.makes);
    // Where there is a table, the job is done at once.
    if (job.makes && lab.has(job.makes)) job.run();
    return { ...job.answer, small: job.isSmall };
  },
  adopt: async (lab, { table }) => lab.adopt(table, true),
  async run(lab, { id, body }) {
    const job = lab.job(id, body);
    job.run((told) => postMessage({ told }));
    return { answer: job.answer, table: job.table() };
  },
};

// One call after the other: an answer may wait for a table, and nothing is loaded twice.
let turn = Promise.resolve();
onmessage = ({ data: { id, name, args } }) => {
  turn = turn.then(async () => {
    try {
      const answer = await calls[name](await ready, args);
      postMessage({ id, answer }, answer?.table ? [answer.table.buffer] : []);
    } catch (error) {
      // Too many calls within calls: what was asked is too large for a page.
      const large = error instanceof RangeError;
      const text = large ? "this is too large for a page: use the program" : `the engine broke off: ${error.message ?? error}`;
      const body = JSON.stringify({ version: null, error: text });
      postMessage({ id, answer: { status: large ? 400 : 500, kind: "application/json", body }, broken: true });
    }
  });
};
