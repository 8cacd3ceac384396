// The engine in a worker: it answers requests, or runs one job.

import { fetchBytes, fetchFile } from "./fetching.js";
import { Networks } from "./networks.js";
import { WALLS } from "./notation.js";

/** A table that would take longer than this to come is not waited for if its game can be solved here, in milliseconds. */
const PATIENCE = 2500;
/** How long a download is watched before its time is estimated. */
const GLIMPSE = 500;

/** Tells the page what is being loaded. */
const onloading = (loading) => postMessage({ loading });

const ready = (async () => {
  const tell = (news) => onloading({ what: "engine", loaded: 0, total: null, done: false, ...news });
  const onprogress = (loaded, total) => tell({ loaded, total });
  try {
    const module_or_path = fetchFile("engine/tilebase_wasm_bg.wasm.zlib", { onprogress, type: "application/wasm" });
    const { default: init, Service } = await import("./engine/tilebase_wasm.js");
    await init({ module_or_path });
    return new Service();
  } finally {
    tell({ done: true });
  }
})();
const networks = new Networks(ready, onloading);

/** Tables of the site: their entries and files. */
const shipped = (async () => (await (await fetchFile("tables/index.json")).json()).tables)().catch(() => []);

/** Tables that are being fetched, by their games. */
const coming = new Map();

/** The table of a variant, if it is part of the site. */
const find = async (variant) => (await shipped).find(({ entry }) => entry.id === variant || entry.variant === variant);

/** Fetches a table. One that would take long is given up, if solving its game takes less. */
async function fetchTable({ file, bytes, entry: { id } }) {
  const tell = (news) => onloading({ what: "table", id, loaded: 0, total: bytes, done: false, ...news });
  const stop = new AbortController();
  const began = performance.now();
  let service = null;
  ready.then((it) => { service = it; }, () => {});
  const onprogress = (loaded) => {
    tell({ loaded });
    const took = performance.now() - began;
    const left = (took * (bytes - loaded)) / loaded;
    if (service && took > GLIMPSE && left > PATIENCE && isSolvedHere(service, id)) stop.abort();
  };
  try {
    return await fetchBytes(`tables/${file}`, { onprogress, signal: stop.signal });
  } finally {
    tell({ done: true });
  }
}

const isSolvedHere = (service, id) => JSON.parse(service.ask("variants", "").body).on_demand.includes(id);

/** Starts to fetch the table of a variant, if there is one that is not being fetched yet. */
async function expectTable(variant) {
  const table = await find(variant);
  if (!table || coming.has(table.entry.id)) return;
  const bytes = fetchTable(table);
  coming.set(table.entry.id, bytes);
  // Whoever asks for it hears of it.
  bytes.catch(() => {});
}

/** Loads the table of a variant, if it is part of the site and not loaded yet. */
async function loadTable(service, variant) {
  const id = variant && service.id(variant);
  if (!id || service.has(id)) return;
  await expectTable(id);
  if (!coming.has(id)) return;
  try {
    const bytes = await coming.get(id);
    if (!service.has(id)) service.adopt(bytes, false);
  } catch {
    // Without the table, small games are solved here.
  }
  coming.delete(id);
}

/** The game of a request, as far as it says. */
function asked(name, { path, query, body }) {
  if (name === "send") return JSON.parse(body)?.variant;
  const parameters = new URLSearchParams(query);
  if (path === "advice") return parameters.get("shape") ?? "4x4";
  return parameters.get("variant");
}

/** Whether a game is searched with a network. One with walls has a table. */
const needsNetwork = (variant) => String(variant).startsWith("4x4") && !WALLS.test(variant);

/** Requests that are answered once and for all: they wait for the full network. */
const LASTING = ["positions", "verdicts"];
/** Requests that a search may answer. */
const SEARCHED = ["position", "line", "advice", ...LASTING];

/** Loads what a request needs. Whether a better answer can be had later. */
async function prepare(name, args) {
  const variant = asked(name, args);
  const large = SEARCHED.includes(args.path) && needsNetwork(variant);
  // It comes while the engine is coming.
  const network = large && (LASTING.includes(args.path) ? networks.full() : networks.quick());
  const service = await ready;
  if (args.path !== "advice") await loadTable(service, variant);
  // A table needs no network, unless the game goes on after it.
  if (!service.has(variant ?? "")) await network;
  return large && !networks.isFull;
}

const calls = {
  version: async () => (await ready).version,
  /** What will be asked about first comes while the engine is coming. */
  async expect({ variant }) {
    if (needsNetwork(variant)) networks.quick();
    else await expectTable(variant);
  },
  async ask(args) {
    const { path, query } = args;
    const quick = await prepare("ask", args);
    const service = await ready;
    const answer = service.ask(path, query);
    if (path !== "variants" || answer.status !== 200) return { ...answer, quick };
    // Tables of the site can be asked, loaded or not.
    const listed = JSON.parse(answer.body);
    const away = (await shipped).map(({ entry }) => entry).filter(({ id }) => !service.has(id));
    return { ...answer, body: JSON.stringify({ ...listed, variants: [...away, ...listed.variants] }) };
  },
  async send(args) {
    const quick = await prepare("send", args);
    return { ...(await ready).send(args.path, args.body), quick };
  },
  async job({ id, body }) {
    const service = await ready;
    const job = service.job(id, body);
    await loadTable(service, job.makes);
    // If there is a table, the job is done at once.
    if (job.makes && service.has(job.makes)) job.run();
    return { ...job.answer, small: job.isSmall };
  },
  adopt: async ({ table }) => (await ready).adopt(table, true),
  async run({ id, body }) {
    const job = (await ready).job(id, body);
    job.run((status) => postMessage({ status }));
    return { answer: job.answer, table: job.table() };
  },
};

// What waits for a file does not keep the others waiting.
onmessage = async ({ data: { id, name, args } }) => {
  try {
    const answer = await calls[name](args);
    postMessage({ id, answer }, answer?.table ? [answer.table.buffer] : []);
  } catch (error) {
    // The stack has overflowed: the request is too large for a page.
    const large = error instanceof RangeError;
    const text = large ? "this is too large for a page: use the program instead" : `the engine failed: ${error.message ?? error}`;
    const body = JSON.stringify({ version: null, error: text });
    postMessage({ id, answer: { status: large ? 400 : 500, media: "application/json", body }, broken: true });
  }
};
