// The backend: a server, or in a static site an engine in the page with the same answers.
import { isAway, lost } from "./connection.js";

/** An error of the server or the engine, in words. */
export class Trouble extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/** How often a question is repeated that the server stopped at: it may be the reason. */
const REPEATS = 3;
/** How often the events of a job are asked for without getting any. */
const TRIES = 5;

const server = {
  async ask(path, query = {}, options = {}) {
    return reach(address(path, query), options);
  },
  async send(path, body, options = {}) {
    const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return reach(address(path), { ...sent, ...options });
  },
  async cancel(path) {
    return reach(address(path), { method: "DELETE" });
  },
  follow(job, handlers) {
    let source = null;
    let over = false;
    let tries = 0;
    const listen = () => {
      source = new EventSource(address(`jobs/${job.id}/events`));
      for (const name of ["layers", "progress", "end"]) {
        source.addEventListener(name, (event) => {
          tries = 0;
          if (name === "end") source.close();
          handlers[name]?.(JSON.parse(event.data));
        });
      }
      source.onerror = () => {
        // A browser would go on by itself, even with another job of the same number.
        source.close();
        again();
      };
    };
    const again = async () => {
      tries += 1;
      try {
        const now = await server.ask(`jobs/${job.id}`);
        if (over) return;
        if (!isSame(now, job)) return handlers.lost?.();
        if (tries > TRIES) return handlers.error?.(new Trouble("The server does not report on this job any more.", 0));
        await new Promise((resolve) => setTimeout(resolve, 200 * tries));
        if (over) return;
        // Events come from the beginning.
        handlers.again?.();
        listen();
      } catch (error) {
        if (over) return;
        if (error.status === 404) handlers.lost?.();
        else handlers.error?.(error);
      }
    };
    listen();
    return () => {
      over = true;
      source.close();
    };
  },
};

/** Whether a job is the one that was begun: another server gives the same numbers again. */
const isSame = (a, b) => ["kind", "variant", "objective"].every((name) => a[name] === b[name]);

function address(path, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const asked = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString();
  return `api/v1/${path}${asked ? `?${asked}` : ""}`;
}

/** What the server answers, now or when it is there again. */
async function reach(url, options) {
  for (let i = 0; i <= REPEATS; i += 1) {
    try {
      const response = await fetch(url, options);
      if (!isAway(response.status)) return await read(response);
    } catch (error) {
      // Only a connection that fails or breaks is a TypeError.
      if (options.signal?.aborted || !(error instanceof TypeError)) throw error;
    }
    await lost();
    options.signal?.throwIfAborted();
  }
  throw new Trouble("The server stops each time it is asked this.", 0);
}

async function read(response) {
  const kind = response.headers.get("content-type") ?? "";
  const answer = kind.includes("application/json") ? await response.json() : await response.text();
  if (response.ok) return answer;
  throw new Trouble(answer.error ?? `The server answered ${response.status}.`, response.status);
}

const kind = document.querySelector('meta[name="backend"]')?.content;
/** Whether the page itself does the work. */
export const isLocal = kind === "local";
const engine = isLocal
  ? import("./local.js").then((local) => ({ ...local, follow: (job, handlers) => local.follow(`jobs/${job.id}/events`, handlers) }))
  : Promise.resolve(server);

/** Asks a question: `ask("position", { variant, board })`. `signal` in the options ends it. */
export const ask = async (path, query, options) => (await engine).ask(path, query, options);

/** Sends a body: `send("jobs", { kind: "count", shape: "3x3" })`. */
export const send = async (path, body, options) => (await engine).send(path, body, options);

/** Cancels: `cancel("jobs/1")`. */
export const cancel = async (path) => (await engine).cancel(path);

/** Listens to a job's `layers`, `progress`, `end` and `error`; returns a function that stops that. `again` is called
 * before events come from the beginning once more, `lost` if the server was started anew and does not know the job. */
export function follow(job, handlers) {
  let stop = null;
  let over = false;
  engine.then((it) => {
    if (!over) stop = it.follow(job, handlers);
  });
  return () => {
    over = true;
    stop?.();
  };
}

/** Hears what a static site is loading, as local.js says. A server has everything already. */
export const onloading = async (listener) => (await engine).onloading?.(listener);
