// What the browser keeps: the game in hand, so that a reload, the back button or another tab lose nothing.
import { Line } from "./line.js";

const KEY = "tilebase-game";

/** Keeps a line and how it is looked at. A browser that keeps nothing is no reason to stop. */
export function save(line, settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...settings, line: line.pack() }));
  } catch {
    // The storage is full or forbidden.
  }
}

/** What was kept, with its `line`, or null. */
export function restore() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return found ? { ...found, line: Line.unpack(found.line) } : null;
  } catch {
    return null;
  }
}
