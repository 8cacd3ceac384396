// The backend of a static site: the engine in workers answers as a server does.
//
// One worker answers questions. Each job has a worker of its own, so that it can be ended, and
// hands the table that it made to the first.

/** Jobs that may wait or run, as on a server. */
const JOBS = 4;
/** Jobs that are remembered. */
const REMEMBERED = 64;
/** The fields of a progress event. */
const PROGRESS = ["version", "state", "phase", "unit", "done", "total", "per_second", "seconds", "seconds_left", "states"];

function trouble(text, status) {
  return Object.assign(new Error(text), { status });
}

function worker() {
  return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
}

/** A worker that is called and answers in order. */
class Helper {
  constructor() {
    this.next = 1;
    this.start();
  }

  start() {
    this.calls = new Map();
    this.worker = worker();
    this.worker.onmessage = ({ data }) => {
      if (data.loading) return tell(data.loading);
      const call = this.calls.get(data.id);
      this.calls.delete(data.id);
      // An engine that failed is not used again.
      if (data.broken) this.restart();
      call?.resolve(data.answer);
    };
    this.worker.onerror = (event) => {
      event.preventDefault?.();
      this.restart("the engine cannot be started: files of the site may be missing");
    };
  }

  restart(text = "the engine failed: try again") {
    this.worker.terminate();
    for (const news of [...loading.values()]) tell({ ...news, done: true, failed: true });
    const calls = [...this.calls.values()];
    this.start();
    for (const { reject } of calls) reject(trouble(text, 500));
  }

  call(name, args, transfer = []) {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.calls.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, args }, transfer);
    });
  }
}

/** What is being loaded, and who listens to that. */
const loading = new Map();
const listeners = new Set();

function tell(news) {
  const name = `${news.what} ${news.id ?? news.full}`;
  if (news.done) loading.delete(name);
  else loading.set(name, news);
  for (const listener of [...listeners]) listener(news);
}

/** Hears what is being loaded: `{ what, id, full, loaded, total, done, failed }`, where `what` is `engine`, `table` (with the
 * `id` of its game) or `network` (the `full` one, or one for quick estimates until then). Returns a function that stops that. */
export function onloading(listener) {
  listeners.add(listener);
  for (const news of loading.values()) listener(news);
  return () => listeners.delete(listener);
}

const answers = new Helper();

/** The game that the address names will be asked about first: what it needs is fetched while the engine is. */
const [area, details] = location.hash.slice(1).split("?");
const first = new URLSearchParams(details);
if (["", "analyse", "explore", "watch"].includes(area) || (area === "practise" && first.has("game"))) answers.call("expect", { variant: first.get("game") ?? first.get("variant") ?? "4x4" }).catch(() => {});

function read({ status, media, body, quick }) {
  const answer = media === "application/json" ? JSON.parse(body) : body;
  // A better one can be had when the full network is there.
  if (quick && answer.search) answer.search.quick = true;
  if (status < 400) return answer;
  throw trouble(answer.error, status);
}

/** Asks a question, as `ask("position", { variant, board })`. */
export async function ask(path, query = {}) {
  if (path === "jobs") return { version: await answers.call("version", {}), jobs: [...jobs.values()].reverse().map((job) => job.status) };
  if (path.startsWith("jobs/")) return find(path).status;
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString();
  return read(await answers.call("ask", { path, query: text }));
}

/** Sends a body, as `send("jobs", { kind: "count", shape: "3x3", to: 64 })`. */
export async function send(path, body) {
  if (path === "jobs") return (await start(JSON.stringify(body))).status;
  return read(await answers.call("send", { path, body: JSON.stringify(body) }));
}

/** Cancels, as `cancel("jobs/1")`. */
export async function cancel(path) {
  const job = find(path);
  if (!isOver(job)) {
    job.worker?.terminate();
    update(job, { ...job.status, state: "cancelled", seconds_left: null });
    next();
  }
  return job.status;
}

/** Listens to `layers`, `progress`, `end` and `error`; returns a function that stops that. */
export function follow(path, handlers) {
  let job;
  try {
    job = find(path);
  } catch (error) {
    queueMicrotask(() => handlers.error?.(error));
    return () => {};
  }
  let sent = 0;
  const listener = () => {
    const { version, layers } = job.status;
    if (layers.length > sent) handlers.layers?.({ version, layers: layers.slice(sent) });
    sent = layers.length;
    handlers.progress?.(Object.fromEntries(PROGRESS.map((name) => [name, job.status[name]])));
    if (!isOver(job)) return;
    job.listeners.delete(listener);
    handlers.end?.(job.status);
  };
  job.listeners.add(listener);
  queueMicrotask(() => job.listeners.has(listener) && listener());
  return () => job.listeners.delete(listener);
}

const jobs = new Map();
let last = 0;

function find(path) {
  const id = path.split("/")[1];
  const job = jobs.get(id);
  if (!job) throw trouble(`there is no job '${id}'`, 404);
  return job;
}

function isOver({ status }) {
  return status.state !== "waiting" && status.state !== "running";
}

function update(job, status) {
  job.status = status;
  for (const listener of [...job.listeners]) listener();
}

async function start(body) {
  if ([...jobs.values()].filter((job) => !isOver(job)).length >= JOBS) {
    throw trouble(`${JOBS} jobs are waiting or running already: cancel one, or try again later`, 429);
  }
  const id = ++last;
  const { small, ...answer } = await answers.call("job", { id, body });
  const job = { id, body, small, status: read(answer), listeners: new Set(), worker: null };
  jobs.set(String(id), job);
  const over = [...jobs.values()].filter(isOver);
  if (jobs.size > REMEMBERED && over.length > 0) jobs.delete(String(over[0].id));
  next();
  return job;
}

/** Runs what may run: small jobs at once, others one at a time. */
function next() {
  const waiting = [...jobs.values()].filter((job) => job.status.state === "waiting" && !job.worker);
  for (const job of waiting.filter(({ small }) => small)) run(job);
  const busy = [...jobs.values()].some((job) => !job.small && job.worker && !isOver(job));
  const large = waiting.find(({ small }) => !small);
  if (large && !busy) run(large);
}

function run(job) {
  job.worker = worker();
  const fail = (text) => {
    job.worker.terminate();
    if (!isOver(job)) update(job, { ...job.status, state: "failed", seconds_left: null, error: text });
    next();
  };
  job.worker.onerror = (event) => {
    event.preventDefault?.();
    fail("the engine cannot be started: files of the site may be missing");
  };
  job.worker.onmessage = async ({ data }) => {
    if (isOver(job) || data.loading) return;
    if (data.status) return update(job, JSON.parse(data.status));
    if (data.broken) return fail("the engine failed: the game may be too large for a page");
    job.worker.terminate();
    const { answer, table } = data.answer;
    // The table comes first: listeners may ask for it at once.
    if (table) await answers.call("adopt", { table }, [table.buffer]);
    update(job, read(answer));
    next();
  };
  job.worker.postMessage({ id: 0, name: "run", args: { id: job.id, body: job.body } });
}
