// Whether the server answers. Whoever finds that it does not says so here: it is asked again and again, everybody
// who listens is told, and what failed waits until it is back.

/** Tells `lost` when the server stops answering, and `found` when it answers again. */
export const connection = new EventTarget();

/** Milliseconds before each try; the last one again and again. */
const WAITS = [250, 500, 1000, 2000, 4000];
let back = null;

/** Whether the server answers now. */
export async function answers() {
  try {
    const { status } = await fetch("api/v1/variants", { cache: "no-store" });
    return !isAway(status);
  } catch {
    return false;
  }
}

/** Statuses that a server between gives when the real one is away. */
export const isAway = (status) => status === 502 || status === 504;

/** The server did not answer: waits until it does. */
export function lost() {
  if (!back) {
    back = untilFound();
    connection.dispatchEvent(new Event("lost"));
  }
  return back;
}

async function untilFound() {
  for (let i = 0; ; i += 1) {
    await pause(WAITS[Math.min(i, WAITS.length - 1)]);
    if (await answers()) break;
  }
  back = null;
  connection.dispatchEvent(new Event("found"));
}

/** A while, or until somebody looks at the page again. */
function pause(ms) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", end);
  });
}
