// The engine in a worker: it answers requests, or runs one job.

import init, { Service } from "./engine/tilebase_wasm.js";

/** Where a file of the site is. */
const at = (path) => new URL(path, import.meta.url);

const ready = (async () => {
  await init({ module_or_path: at("engine/tilebase_wasm_bg.wasm") });
  return new Service();
})();

/** Tables of the site: their entries and files. */
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

/** Does something once; a failure is tried again the next time. */
function once(name, work) {
  if (!loaded.has(name)) loaded.set(name, work().catch((error) => (loaded.delete(name), Promise.reject(error))));
  return loaded.get(name);
}

/** Fetches the table of a variant, if it is part of the site and not loaded yet. */
async function fetchTable(service, variant) {
  const id = variant && service.id(variant);
  if (!id || service.has(id)) return;
  const table = (await shipped).find((table) => table.entry.id === id);
  // Without the table, small games are solved here.
  if (table) await once(id, async () => service.adopt(await bytes(`tables/${table.file}`), false)).catch(() => {});
  loaded.delete(id);
}

/** Fetches the n-tuple network, if a search on 4x4 would use it. */
async function fetchNetwork(service, path, query) {
  const shape = query.get("shape") ?? "4x4";
  const searched = path === "advice" ? shape === "4x4" : query.get("search") === "true" && (query.get("variant") ?? "").startsWith("4x4");
  // Without it the search uses its other evaluation, and says so.
  if (searched) await once("network", async () => service.loadNetwork(await bytes("engine/4x4.network"))).catch(() => {});
}

const calls = {
  version: async (service) => service.version,
  async ask(service, { path, query }) {
    const parameters = new URLSearchParams(query);
    await fetchTable(service, parameters.get("variant"));
    await fetchNetwork(service, path, parameters);
    const answer = service.ask(path, query);
    if (path !== "variants" || answer.status !== 200) return answer;
    // Tables of the site can be asked, loaded or not.
    const listed = JSON.parse(answer.body);
    const away = (await shipped).map(({ entry }) => entry).filter(({ id }) => !service.has(id));
    return { ...answer, body: JSON.stringify({ ...listed, variants: [...away, ...listed.variants] }) };
  },
  async send(service, { path, body }) {
    await fetchTable(service, JSON.parse(body)?.variant);
    return service.send(path, body);
  },
  async job(service, { id, body }) {
    const job = service.job(id, body);
    await fetchTable(service, job.makes);
    // If there is a table, the job is done at once.
    if (job.makes && service.has(job.makes)) job.run();
    return { ...job.answer, small: job.isSmall };
  },
  adopt: async (service, { table }) => service.adopt(table, true),
  async run(service, { id, body }) {
    const job = service.job(id, body);
    job.run((status) => postMessage({ status }));
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
      // The stack has overflowed: the request is too large for a page.
      const large = error instanceof RangeError;
      const text = large ? "this is too large for a page: use the program instead" : `the engine failed: ${error.message ?? error}`;
      const body = JSON.stringify({ version: null, error: text });
      postMessage({ id, answer: { status: large ? 400 : 500, media: "application/json", body }, broken: true });
    }
  });
};
