// The notebook: positions that went wrong, kept in this browser, to practise until they go right.
import { make, select } from "./element.js";
import { download, pickFile } from "./files.js";
import { ARROWS } from "./moves.js";
import { parseBoard, parseVariant, words } from "./notation.js";
import { byItself, due, exportNotes, importNotes, notes, onnotes, removeNote, answered, BOXES } from "./notes.js";
import { Practise } from "./practise.js";

/** Entries that are listed at a time. */
const SHOWN = 6;

export class Notebook {
  /** `onopen({ variant, board, best })` shows a position on the main board. */
  constructor({ onopen = () => {} } = {}) {
    this.onopen = onopen;
    this.practise = new Practise({ onopen });
    this.limit = SHOWN;
    const button = (text, onclick, extra = {}) => make("button", { type: "button", text, onclick, ...extra });
    this.order = select([["due", "due first"], ["random", "in any order"]], "due");
    this.order.setAttribute("aria-label", "Order");
    this.start = button("Practise", () => this.begin(), { class: "main" });
    this.sum = make("p", { class: "note", role: "status" });
    this.list = make("ul", { class: "notes" });
    this.more = button("Show more", () => { this.limit += SHOWN; this.render(); });
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    const own = make("input", { type: "checkbox", onchange: () => { byItself.on = own.checked; } });
    own.checked = byItself.on;
    this.save = button("Export", () => download("tilebase-notebook.json", exportNotes(), "application/json"), { title: "Save the notebook as a JSON file" });
    this.element = make("section", { class: "panel notebook", "aria-labelledby": "notebook-title" }, make("h2", { id: "notebook-title", text: "Notebook of mistakes" }),
      this.sum, make("div", { class: "row-of buttons" }, this.start, this.order),
      this.list, this.more, this.wrong,
      make("div", { class: "row-of buttons" }, make("label", { class: "check" }, own, "Add mistakes of reviewed games"), this.save,
        button("Import", () => this.load(), { title: "Add the notes of a JSON file" })));
    onnotes(() => this.render());
    this.render();
  }

  render() {
    const all = notes();
    const ready = due().length;
    this.sum.textContent = all.length === 0 ? "Positions that you got wrong come here when a game is reviewed, to practise them."
      : `${all.length} ${all.length === 1 ? "position" : "positions"}, ${ready === 0 ? "none due today" : `${ready} due`}.`;
    this.start.disabled = this.save.disabled = this.order.disabled = all.length === 0;
    this.start.textContent = ready > 0 || all.length === 0 ? "Practise" : "Practise anyway";
    this.list.replaceChildren(...all.slice(0, this.limit).map((note) => this.item(note)));
    this.more.hidden = all.length <= this.limit;
  }

  item(note) {
    const date = new Date(note.date).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
    const level = note.box >= BOXES.length - 1 ? "learned" : note.box > 0 ? `right ${note.box}×` : "";
    return make("li", { class: "note-item" }, miniature(note),
      make("div", {}, make("span", { class: "note-move", "data-grade": note.grade ?? false, text: [`${ARROWS[note.played]} ${note.played}`, note.lossText].filter(Boolean).join(", ") }),
        make("small", { text: `${words(note.variant)} · ${date}${level ? ` · ${level}` : ""}` })),
      make("div", { class: "row-of buttons" },
        make("button", { type: "button", text: "Practise", onclick: () => this.begin([note]) }),
        make("button", { type: "button", text: "Open", title: "Open on the board", onclick: () => this.onopen(note) }),
        make("button", { type: "button", text: "Delete", onclick: () => removeNote(note) })));
  }

  /** Practises some notes, or those that are due. */
  begin(chosen = null) {
    const ready = due();
    const pool = chosen ?? (ready.length > 0 ? ready : [...notes()].sort((x, y) => x.due - y.due));
    const items = this.order.value === "random" && !chosen ? shuffled(pool) : pool;
    if (items.length > 0) this.practise.open(items.slice(0, 50), { onanswer: (note, right) => answered(note, right) });
  }

  async load() {
    this.wrong.hidden = true;
    try {
      const file = await pickFile(".json,application/json");
      if (!file) return;
      const added = importNotes(await file.text());
      this.sum.textContent = `${added} new ${added === 1 ? "position" : "positions"}.`;
    } catch (error) {
      this.wrong.textContent = error.message;
      this.wrong.hidden = false;
    }
  }
}

/** A board small enough for a list; its text is beside it. */
function miniature({ variant, board }) {
  const { rows, cols, cells } = parseBoard(board, parseVariant(variant).shape);
  const picture = make("div", { class: "miniature", role: "img", "aria-label": `a board of ${rows} by ${cols}, largest tile ${2 ** Math.max(...cells)}` },
    cells.map((e) => make("span", { class: "cell", "data-e": Math.min(e, 17) })));
  picture.style.setProperty("--cols", cols);
  return picture;
}

function shuffled(all) {
  const list = [...all];
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
