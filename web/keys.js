// The keys of the game. They win over every control that was clicked: only a text field, a list that is open and
// what was reached by the tab key keep the keys that they need.
import { make } from "./element.js";
import { KEYS } from "./rules.js";

const TEXT = "textarea, [contenteditable], input:not([type=radio], [type=checkbox], [type=range], [type=button], [type=file])";

const LETTERS = { u: "undo", z: "undo", r: "redo", y: "redo", n: "nextMistake", p: "lastMistake", h: "hints", "?": "help", " ": "toggle" };

const HELP = [
  ["← → ↑ ↓ or A D W S", "move"], ["U or Z", "undo"], ["R or Y", "redo"], ["Space", "the AI plays, or pauses"],
  ["N, P", "next mistake, previous mistake"], ["H", "show or hide the values"], ["?", "these keys"],
];

/** Listens for the game: `on` has `active()`, `move(name)` and functions for names in LETTERS. */
export function gameKeys(on) {
  let tabbed = null;
  let byTab = false;
  const opened = new WeakSet();
  document.addEventListener("pointerdown", (event) => {
    byTab = false;
    tabbed = null;
    const list = event.target.closest?.("select");
    if (list) opened.add(list);
  }, true);
  for (const kind of ["change", "focusout"]) document.addEventListener(kind, ({ target }) => opened.delete(target), true);
  document.addEventListener("focusin", ({ target }) => { tabbed = byTab ? target : null; }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") byTab = true;
    if (event.target.tagName === "SELECT" && ["Enter", "Escape"].includes(event.key)) opened.delete(event.target);
    if (!on.active() || event.defaultPrevented || event.altKey) return;
    const action = actionOf(event);
    if (!action || !on[action] || keeps(event, tabbed === event.target, opened)) return;
    event.preventDefault();
    event.stopPropagation();
    if (KEYS[event.key]) on.move(KEYS[event.key]);
    else on[action]();
  }, true);
}

function actionOf({ key, ctrlKey, metaKey, shiftKey }) {
  if (ctrlKey || metaKey) return { z: shiftKey ? "redo" : "undo", Z: "redo", y: "redo" }[key];
  return KEYS[key] ? "move" : LETTERS[key] ?? LETTERS[key.toLowerCase()];
}

/** Whether a key belongs to the element that has the focus. */
function keeps({ target, key }, tabbed, opened) {
  if (!(target instanceof Element)) return false;
  if (target.closest(`${TEXT}, dialog`)) return true;
  if (target.tagName === "SELECT" && isOpen(target, opened)) return true;
  // Cells that are edited, or wait for a tile, are chosen by arrow keys.
  if (target.closest(".board:not([data-mode=view])")) return key.startsWith("Arrow") || key === " ";
  if (!tabbed) return false;
  if (key === " ") return target.matches("button, a, select, input, summary, [tabindex]");
  return key.startsWith("Arrow") && target.closest("[role=slider], [type=range], [type=radio]") !== null;
}

function isOpen(list, opened) {
  return CSS.supports("selector(:open)") ? list.matches(":open") : opened.has(list);
}

/** A dialog with the keys. */
export function keysDialog() {
  const rows = HELP.map(([keys, does]) => make("tr", {}, make("th", { scope: "row", class: "mono", text: keys }), make("td", { text: does })));
  const dialog = make("dialog", { class: "keys", "aria-labelledby": "keys-title", onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    make("form", { method: "dialog" }, make("h2", { id: "keys-title", text: "Keys" }),
      make("table", {}, make("tbody", {}, rows)),
      make("button", { class: "main", text: "Close" })));
  return dialog;
}
