// The answers of a server, given by the engine in workers: the backend of a static site.
//
// One worker answers questions. Each job has a worker of its own, so that it can be ended, and
// hands the table that it made to the first.

/** Jobs that wait or run, as the server allows. */
const JOBS = 4;
/** Jobs that are remembered. */
const REMEMBERED = 64;
/** What an event about progress tells of a job. */
const PACE = ["version", "state", "phase", "unit", "done", "total", "rate", "seconds", "seconds_left", "states"];

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
      const call = this.calls.get(data.id);
      this.calls.delete(data.id);
      // An engine that broke off is not used again.
      if (data.broken) this.restart();
      call?.resolve(data.answer);
    };
    this.worker.onerror = (event) => {
      event.preventDefault?.();
      this.restart("the engine cannot be started: is all of the site there?");
    };
  }

  restart(text = "the engine broke off: ask again") {
    this.worker.terminate();
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

const answers = new Helper();

function read({ status, kind, body }) {
  const answer = kind === "application/json" ? JSON.parse(body) : body;
  if (status < 400) return answer;
  throw trouble(answer.error, status);
}

/** Asks a question, as `ask("position", { variant, board })`. */
export async function ask(path, query = {}) {
  if (path === "jobs") return { version: await answers.call("version", {}), jobs: [...jobs.values()].reverse().map((job) => job.told) };
  if (path.startsWith("jobs/")) return find(path).told;
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString();
  return read(await answers.call("ask", { path, query: text }));
}

/** Sends a body, as `send("jobs", { kind: "count", shape: "3x3", to: 64 })`. */
export async function send(path, body) {
  if (path === "jobs") return (await start(JSON.stringify(body))).told;
  return read(await answers.call("send", { path, body: JSON.stringify(body) }));
}

/** Cancels, as `cancel("jobs/1")`. */
export async function cancel(path) {
  const job = find(path);
  if (!isOver(job)) {
    job.worker?.terminate();
    tell(job, { ...job.told, state: "cancelled", seconds_left: null });
    next();
  }
  return job.told;
}

/** Listens to `layers`, `progress`, `end` and `error`; what is returned ends that. */
export function follow(path, handlers) {
  let job;
  try {
    job = find(path);
  } catch (error) {
    queueMicrotask(() => handlers.error?.(error));
    return () => {};
  }
  let told = 0;
  const listener = () => {
    const { version, layers } = job.told;
    if (layers.length > told) handlers.layers?.({ version, layers: layers.slice(told) });
    told = layers.length;
    handlers.progress?.(Object.fromEntries(PACE.map((name) => [name, job.told[name]])));
    if (!isOver(job)) return;
    job.listeners.delete(listener);
    handlers.end?.(job.told);
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

function isOver({ told }) {
  return told.state !== "waiting" && told.state !== "running";
}

function tell(job, told) {
  job.told = told;
  for (const listener of [...job.listeners]) listener();
}

async function start(body) {
  if ([...jobs.values()].filter((job) => !isOver(job)).length >= JOBS) {
    throw trouble(`${JOBS} jobs wait or run already: cancel one, or wait`, 429);
  }
  const id = ++last;
  const { small, ...answer } = await answers.call("job", { id, body });
  const job = { id, body, small, told: read(answer), listeners: new Set(), worker: null };
  jobs.set(String(id), job);
  const over = [...jobs.values()].filter(isOver);
  if (jobs.size > REMEMBERED && over.length > 0) jobs.delete(String(over[0].id));
  next();
  return job;
}

/** Runs what may run: small jobs at once, others one at a time. */
function next() {
  const waiting = [...jobs.values()].filter((job) => job.told.state === "waiting" && !job.worker);
  for (const job of waiting.filter(({ small }) => small)) run(job);
  const busy = [...jobs.values()].some((job) => !job.small && job.worker && !isOver(job));
  const large = waiting.find(({ small }) => !small);
  if (large && !busy) run(large);
}

function run(job) {
  job.worker = worker();
  const fail = (text) => {
    job.worker.terminate();
    if (!isOver(job)) tell(job, { ...job.told, state: "failed", seconds_left: null, error: text });
    next();
  };
  job.worker.onerror = (event) => {
    event.preventDefault?.();
    fail("the engine cannot be started: is all of the site there?");
  };
  job.worker.onmessage = async ({ data }) => {
    if (isOver(job)) return;
    if (data.told) return tell(job, JSON.parse(data.told));
    if (data.broken) return fail("the engine broke off: the game may be too large for a page");
    job.worker.terminate();
    const { answer, table } = data.answer;
    // Whoever is told that it is solved may ask at once.
    if (table) await answers.call("adopt", { table }, [table.buffer]);
    tell(job, read(answer));
    next();
  };
  job.worker.postMessage({ id: 0, name: "run", args: { id: job.id, body: job.body } });
}
