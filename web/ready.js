// Games that are solved on demand, by a job, so that the progress can be shown.
import { ask, follow, send } from "./backend.js";
import { connection } from "./connection.js";
import { parseVariant, words, write } from "./notation.js";
import { Dice } from "./rules.js";
import { isWalled } from "./walls.js";

const begun = new Map();
const listeners = new Map();
const known = new Map();
const asides = new Set();

// A server that was started anew has solved nothing yet.
connection.addEventListener("found", () => {
  for (const all of [begun, known, asides]) all.clear();
});

/** Whether a job was begun here only to answer for a position. */
export const isAside = ({ id }) => asides.has(id);

/** Waits until a game is solved, if it is one that is solved on demand and takes a moment. Never
 * fails: the question that follows reports what is wrong. */
export function ready(id, onpace = null) {
  if (onpace) listeners.set(id, [...(listeners.get(id) ?? []), onpace]);
  if (!begun.has(id)) begun.set(id, prepare(id).catch(() => {}).finally(() => listeners.delete(id)));
  return begun.get(id);
}

async function prepare(id) {
  if (!isWalled(id) && isTiny(parseVariant(id))) return;
  const { variants, on_demand } = await ask("variants");
  if (variants.some((variant) => variant.id === id) || !on_demand.includes(id)) return;
  const open = await openJobs();
  // Behind other jobs it would wait; the question itself does not, unless only a job can solve the game.
  if (!open.some((job) => solves(job, id)) && open.length > 0 && !isWalled(id)) return;
  const job = await jobOf(id, open);
  await new Promise((resolve) => {
    follow(job, {
      progress: (pace) => listeners.get(id)?.forEach((listener) => listener(pace)),
      end: resolve,
      error: resolve,
      lost: () => resolve(prepare(id)),
    });
  });
}

const openJobs = async () => (await ask("jobs")).jobs.filter(({ state }) => state === "running" || state === "waiting");
const solves = ({ kind, variant, objective }, id) => kind === "solve" && `${variant}-${objective}` === id;

/** The job that solves a game, begun unless there is one. */
async function jobOf(id, open) {
  const same = open.find((job) => solves(job, id));
  const job = same ?? await send("jobs", { kind: "solve", variant: id });
  if (!same) asides.add(job.id);
  return job;
}

/** Solves a game by a job because someone wants it, however long it takes; `onjob` gets the job, `onpace` hears how far it
 * is. Fails with what is wrong. */
export async function solve(id, { onjob, onpace }) {
  const job = await jobOf(id, await openJobs());
  onjob(job);
  const { state, error } = await new Promise((resolve, reject) => {
    follow(job, { progress: onpace, end: resolve, error: reject, lost: () => reject(new Error("the server was started anew, and the job is gone")) });
  });
  if (state !== "done") throw new Error(error ?? "it was cancelled, and is not solved");
  forget(id);
}

/** Whether a game is solved before its progress could be seen. */
const isTiny = ({ shape }) => shape.rows * shape.cols < 8;

/** Whether every position of a game is known, once it is ready. */
export function solved(id) {
  if (!known.has(id)) {
    const answer = find(id);
    known.set(id, answer);
    answer.catch(() => known.delete(id));
  }
  return known.get(id);
}

/** Forgets whether a game is solved, after a job has solved it or where its table is gone. */
export function forget(id) {
  known.delete(id);
  begun.delete(id);
}

async function find(id) {
  await ready(id);
  const { shape } = parseVariant(id);
  const { variants, on_demand } = await ask("variants");
  if (variants.some((variant) => variant.id === id || variant.variant === id) || on_demand.includes(id)) return true;
  if (shape.rows * shape.cols > 12) return false;
  // Small games that are not in the list may be solved on demand too: asking is the only way to know.
  const board = write(new Dice(0).deal(parseVariant(id)));
  return (await ask("position", { variant: id, board, search: true })).source !== "estimate";
}

/** What is being done, as text. */
export function progressText(id, pace = null) {
  const game = words(id);
  if (!pace) return `Working on ${game} …`;
  return pace.phase === "count" ? `Counting the positions of ${game} …` : `Solving ${game} backwards …`;
}
