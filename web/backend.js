// The backend: a server, or in a static site an engine in the page with the same answers.

/** An error of the server or the engine, in words. */
export class Trouble extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

const server = {
  async ask(path, query = {}) {
    return read(await reach(address(path, query)));
  },
  async send(path, body) {
    const options = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    return read(await reach(address(path), options));
  },
  async cancel(path) {
    return read(await reach(address(path), { method: "DELETE" }));
  },
  follow(path, handlers) {
    const source = new EventSource(address(path));
    for (const name of ["layers", "progress", "end"]) {
      source.addEventListener(name, (event) => {
        if (name === "end") source.close();
        handlers[name]?.(JSON.parse(event.data));
      });
    }
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      handlers.error?.(new Trouble("the server stopped reporting on this job", 0));
    };
    return () => source.close();
  },
};

function address(path, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const asked = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString();
  return `api/v1/${path}${asked ? `?${asked}` : ""}`;
}

async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch {
    throw new Trouble("the server does not answer: is tilebase serve still running?", 0);
  }
}

async function read(response) {
  const kind = response.headers.get("content-type") ?? "";
  const answer = kind.includes("application/json") ? await response.json() : await response.text();
  if (response.ok) return answer;
  throw new Trouble(answer.error ?? `the server answered ${response.status}`, response.status);
}

const kind = document.querySelector('meta[name="backend"]')?.content;
/** Whether the page itself does the work. */
export const isLocal = kind === "local";
const engine = isLocal ? import("./local.js") : Promise.resolve(server);

/** Asks a question: `ask("position", { variant, board })`. */
export const ask = async (path, query) => (await engine).ask(path, query);

/** Sends a body: `send("jobs", { kind: "count", shape: "3x3" })`. */
export const send = async (path, body) => (await engine).send(path, body);

/** Cancels: `cancel("jobs/1")`. */
export const cancel = async (path) => (await engine).cancel(path);

/** Listens to `layers`, `progress`, `end` and `error`; returns a function that stops that. */
export function follow(path, handlers) {
  let stop = null;
  let over = false;
  engine.then((it) => {
    if (!over) stop = it.follow(path, handlers);
  });
  return () => {
    over = true;
    stop?.();
  };
}
