// The notebook's entries in the browser's storage: positions that went wrong, and when to try them again.
import { parseBoard, parseVariant, write } from "./notation.js";
import { MOVES } from "./rules.js";

const KEY = "tilebase-notebook";
const OWN = "tilebase-notebook-by-itself";
/** The oldest of those that are known best go first when there are more. */
const MOST = 1000;
const DAY = 86_400_000;
/** Days until a position comes back, by how often it was right in a row. */
export const BOXES = [0, 1, 3, 7, 21, 60];

const listeners = new Set();
let entries = null;

/** Calls back whenever the notebook changes, here or in another tab. */
export function onnotes(listener) {
  listeners.add(listener);
}

/** All entries, the newest first. */
export function notes() {
  entries ??= load();
  return entries;
}

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]").filter(isEntry);
  } catch {
    return [];
  }
}

function keep(changed) {
  entries = changed;
  try {
    localStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    // Storage that is full or forbidden: the notebook lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Adds positions that are not there yet; how many were new. */
export function addNotes(found, date = Date.now()) {
  const known = new Set(notes().map(idOf));
  const fresh = found.filter((note) => !known.has(idOf(note)) && known.add(idOf(note)))
    .map((note) => ({ ...note, date: note.date ?? date, box: note.box ?? 0, due: note.due ?? date }));
  if (fresh.length > 0) keep(trim([...fresh, ...notes()]));
  return fresh.length;
}

function trim(all) {
  if (all.length <= MOST) return all;
  const spare = new Set([...all].sort((a, b) => b.box - a.box || a.date - b.date).slice(0, all.length - MOST));
  return all.filter((note) => !spare.has(note));
}

export const hasNote = (note) => notes().some((other) => idOf(other) === idOf(note));

export function removeNote(note) {
  keep(notes().filter((other) => idOf(other) !== idOf(note)));
}

/** Puts a position into its next box, or back into the first. */
export function answered(note, right, now = Date.now()) {
  const box = right ? Math.min(note.box + 1, BOXES.length - 1) : 0;
  keep(notes().map((other) => (idOf(other) === idOf(note) ? { ...other, box, due: now + BOXES[box] * DAY } : other)));
}

/** Positions to practise: those that are due, the oldest first. */
export const due = (now = Date.now()) => notes().filter((note) => note.due <= now).sort((a, b) => a.due - b.due || a.date - b.date);

/** Whether mistakes are added by themselves. */
export const byItself = {
  get on() {
    return localStorage.getItem(OWN) !== "no";
  },
  set on(on) {
    localStorage.setItem(OWN, on ? "yes" : "no");
  },
};

/** The notebook as a file, and back; how many were new. */
export const exportNotes = () => JSON.stringify({ format: "tilebase-notebook-1", notes: notes() }, null, 1);

export function importNotes(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("the file is no notebook: it is not JSON");
  }
  const list = Array.isArray(value) ? value : value?.notes;
  if (!Array.isArray(list)) throw new Error("the file is no notebook: it has no list of notes");
  const wrong = list.findIndex((note) => !isEntry(note));
  if (wrong >= 0) throw new Error(`note ${wrong + 1} of the file cannot be read`);
  return addNotes(list);
}

const idOf = ({ variant, board }) => `${variant} ${board}`;

/** Whether something can be an entry: a game, a board of it, moves, and a box that there is. */
function isEntry(note) {
  try {
    const { variant, board, played, best, box = 0, due: day = 0, date = 0 } = note;
    return write(parseBoard(board, parseVariant(variant).shape)) === board && MOVES.includes(played) && (best === null || MOVES.includes(best))
      && box in BOXES && Number.isFinite(day) && Number.isFinite(date);
  } catch {
    return false;
  }
}

if (typeof addEventListener === "function") {
  addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    entries = null;
    for (const listener of listeners) listener();
  });
}
