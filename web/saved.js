// What the browser keeps: the game in hand, so that a reload, the back button or another tab lose nothing.
import { Line } from "./line.js";

const KEY = "tilebase-game";

/** Keeps a line and how it is looked at, for this tab and for the next visit. */
export function save(line, settings) {
  const text = JSON.stringify({ ...settings, line: line.pack() });
  for (const storage of ["sessionStorage", "localStorage"]) {
    try {
      window[storage].setItem(KEY, text);
    } catch {
      // A browser that keeps nothing is no reason to stop.
    }
  }
}

/** What was kept, with its `line`, or null. `again` says that this tab has only been loaded once more. */
export function restore() {
  const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
  const own = again ? read("sessionStorage") : null;
  return own ? { ...own, again } : read("localStorage");
}

function read(storage) {
  try {
    const found = JSON.parse(window[storage].getItem(KEY));
    return found ? { ...found, line: Line.unpack(found.line) } : null;
  } catch {
    return null;
  }
}
