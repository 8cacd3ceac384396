// Games that are solved when they are asked for: solved by a job, so that its progress can be shown.
import { ask, follow, send } from "./backend.js";
import { parseVariant, words } from "./notation.js";

const begun = new Map();
const listeners = new Map();

/** Waits until a game is solved, if it is one that is solved on the spot and takes a moment. Never
 * fails: whoever asks then is told what is wrong. */
export function ready(id, onpace = null) {
  if (onpace) listeners.set(id, [...(listeners.get(id) ?? []), onpace]);
  if (!begun.has(id)) begun.set(id, prepare(id).catch(() => {}).finally(() => listeners.delete(id)));
  return begun.get(id);
}

async function prepare(id) {
  const { name, shape, target, objective } = parseVariant(id);
  if (shape.rows * shape.cols < 8) return;
  const { variants, on_the_spot } = await ask("variants");
  if (variants.some((variant) => variant.id === id) || !on_the_spot.includes(id)) return;
  const { jobs } = await ask("jobs");
  const open = jobs.filter((job) => job.state === "running" || job.state === "waiting");
  const same = open.find((job) => job.kind === "solve" && `${job.variant}-${job.objective}` === id);
  // Behind other jobs it would wait; the question itself does not.
  if (!same && open.length > 0) return;
  const job = same ?? await send("jobs", { kind: "solve", shape: name, to: target === null ? undefined : 2 ** target, objective });
  await new Promise((resolve) => {
    follow(`jobs/${job.id}/events`, {
      progress: (pace) => listeners.get(id)?.forEach((listener) => listener(pace)),
      end: resolve,
      error: resolve,
    });
  });
}

/** What is done while one waits. */
export function told(id, pace = null) {
  const game = words(id);
  if (!pace) return `Working on ${game} …`;
  return pace.phase === "count" ? `Counting the positions of ${game} …` : `Solving ${game} backwards …`;
}
