// Explore: a position, its values, and lines of play from it.
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { field, make, segments, select, speak, takesKeys } from "./element.js";
import { Line } from "./line.js";
import { mark, movesList, sourceText } from "./moves.js";
import { meaning, valueText } from "./numbers.js";
import { parseBoard, parseMoves, parseVariant, tiles, words, write } from "./notation.js";
import { ready, solved, progressText } from "./ready.js";
import { Record } from "./record.js";
import { Dice, KEYS, put, seedOf } from "./rules.js";
import { ranked, searchedSpawns, spawnTable } from "./spawns.js";
import { FIRST, VariantChooser } from "./variant.js";

/** The area in an element. */
export function mount(root) {
  return new Explore(root);
}

class Explore {
  constructor(root) {
    this.known = new Map();
    this.edits = [];
    this.turn = 0;
    this.chooser = new VariantChooser((id) => this.play(id));
    this.view = new BoardView("Board", {
      raise: (cell, by) => this.edit(cell, this.line.board.cells[cell] + by),
      set: (cell, e) => this.edit(cell, e),
      carry: (from, to) => this.carry(from, to),
      drop: (cell) => this.drop(cell, Number(this.tile.value)),
      swipe: (move) => this.move(move),
    });
    this.mode = segments("Mode", [["play", "Play"], ["edit", "Edit"]], "play", () => this.render());
    this.text = make("input", { type: "text", spellcheck: "false", autocomplete: "off", class: "mono" });
    this.form = make("form", { class: "inline", onsubmit: (event) => this.typed(event) },
      field("Board as text", this.text), make("button", { text: "Set" }));
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.spawn = select([["choose", "I choose"], ["random", "dice"], ["best", "the best for the player"], ["worst", "the worst for the player"]], "choose", () => this.settle());
    this.seed = make("input", { type: "text", inputmode: "numeric", value: "0", size: 6 });
    this.tile = segments("Tile to put", [["2", "2"], ["4", "4"]], "2", () => this.render());
    const button = (text, title, onclick) => make("button", { type: "button", text, title, onclick });
    this.back = button("↶ Undo", "One step back, before edits too", () => this.step(-1));
    this.forth = button("↷ Redo", "One step forward", () => this.step(1));
    this.share = button("Copy link", "Copy a link to this line", () => this.copy());
    this.deal = button("New game", "New game by the seed", () => this.begin());
    this.panel = make("section", { class: "panel position", "aria-labelledby": "position" });
    this.help = make("p", { class: "note" });
    this.record = new Record({
      onjump: (at) => this.jump(at),
      seen: (board) => this.known.get(this.key("position", board))?.catch(() => null),
      ontrouble: (error) => this.trouble(error),
    });
    root.append(
      make("h1", { class: "unseen", text: "Explore" }),
      make("div", { class: "bench" },
        make("div", { class: "left" },
          make("div", { class: "top-left" }, this.chooser.element, this.view.element, this.help, this.wrong,
            make("div", { class: "row-of" }, this.mode.element, this.tile.element)),
          make("div", { class: "tools" }, make("div", { class: "row-of buttons" }, this.back, this.forth, this.deal, this.share), this.form,
            make("div", { class: "row-of" }, field("Tiles that spawn", this.spawn), field("Seed", this.seed)))),
        make("div", { class: "middle" }, this.panel),
        make("div", { class: "right" }, this.record.elements)));
    document.addEventListener("keydown", (event) => this.pressed(event));
    document.addEventListener("paste", (event) => this.paste(event));
  }

  show(asked, changed) {
    this.active = true;
    if (changed) this.chooser.load().catch((error) => this.trouble(error));
    if (this.line && !asked.has("variant")) {
      this.address();
      return;
    }
    try {
      const id = asked.get("variant") ?? FIRST.id;
      const variant = parseVariant(id);
      const start = parseBoard(asked.get("start") ?? (asked.has("variant") ? write(new Dice(0).deal(variant)) : FIRST.start), variant.shape);
      const at = asked.has("at") ? Number(asked.get("at")) : null;
      this.chooser.set(id);
      this.known.clear();
      this.load(Line.of(variant, start, parseMoves(asked.get("moves") ?? ""), at));
    } catch (error) {
      if (!this.line) this.play(FIRST.id);
      this.trouble(error);
    }
  }

  hide() {
    this.active = false;
  }

  load(line) {
    this.line = line;
    this.pace = null;
    this.render();
  }

  /** Another game, from the board that is there if it fits. */
  play(id) {
    try {
      const variant = parseVariant(id);
      const same = this.line && this.line.variant.name === variant.name;
      this.edits = [];
      this.load(new Line(variant, same ? this.line.start : new Dice(0).deal(variant)));
    } catch (error) {
      this.trouble(error);
    }
  }

  begin() {
    try {
      this.remember();
      this.load(new Line(this.line.variant, new Dice(seedOf(this.seed.value)).deal(this.line.variant)));
    } catch (error) {
      this.trouble(error);
    }
  }

  remember() {
    this.edits.push(this.line);
    if (this.edits.length > 200) this.edits.shift();
  }

  /** A board that is not reached by play starts a line of its own. */
  restart(board) {
    this.remember();
    this.load(new Line(this.line.variant, board));
  }

  edit(cell, e) {
    if (e >= 0 && e <= 15) this.restart(put(this.line.board, cell, e));
  }

  carry(from, to) {
    const board = this.line.board;
    const lifted = put(board, from, to === null ? 0 : board.cells[to]);
    this.restart(to === null ? lifted : put(lifted, to, board.cells[from]));
  }

  typed(event) {
    event.preventDefault();
    this.read(this.text.value);
  }

  read(text) {
    try {
      const { variant } = this.line;
      let board;
      try {
        board = parseBoard(text, variant.shape);
      } catch (error) {
        // A board of another shape brings a game of that shape.
        board = parseBoard(text);
        const to = { 4: "-to-16-win", 6: "-to-64-win", 8: "-to-128-win", 9: "-to-256-win", 16: "" }[board.cells.length];
        if (to === undefined || board.cells.length === variant.shape.rows * variant.shape.cols) throw error;
        const id = `${board.rows}x${board.cols}${to}`;
        this.chooser.set(id);
        this.edits = [];
        this.load(new Line(parseVariant(id), board));
        return;
      }
      this.restart(board);
    } catch (error) {
      this.trouble(error);
    }
  }

  paste(event) {
    if (!this.active || event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text");
    if (text) {
      event.preventDefault();
      this.read(text);
    }
  }

  pressed(event) {
    if (!this.active || event.defaultPrevented || takesKeys(event.target) || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z") this.step(-1);
      else if (event.key === "y" || event.key === "Z") this.step(1);
      else return;
    } else if (KEYS[event.key] && this.mode.value === "play") {
      this.move(KEYS[event.key]);
      // The tile to come is chosen by keys as well.
      if (this.line.waits && this.spawn.value === "choose") this.view.focus();
    } else if (event.key === "u") this.step(-1);
    else if (event.key === "r") this.step(1);
    else return;
    event.preventDefault();
  }

  move(name) {
    this.mode.value = "play";
    if (this.line.waits) {
      speak("Choose the tile that spawns first");
      return;
    }
    if (!this.line.slide(name)) {
      speak(`${name} changes nothing`);
      return;
    }
    this.settle();
  }

  /** Spawns a tile, unless the user is to choose it. */
  async settle() {
    const line = this.line;
    const rule = this.spawn.value;
    if (!line.waits || line.won || rule === "choose") {
      this.render();
      return;
    }
    try {
      const { at } = line;
      if (rule === "random") {
        const { cell, tile } = line.fall(seedOf(this.seed.value));
        this.drop(cell, tile);
        return;
      }
      this.render();
      const { outcomes, objective } = await this.spawns(line.board);
      if (line !== this.line || line.at !== at) return;
      const sorted = ranked(outcomes, objective);
      const { cell, tile } = rule === "best" ? sorted[0] : sorted.at(-1);
      this.drop(cell, tile);
    } catch (error) {
      this.trouble(error);
    }
  }

  drop(cell, tile) {
    if (this.line.drop(cell, tile)) this.render();
  }

  /** To the last or next position; edits are undone before the start. */
  step(by) {
    const { line } = this;
    const stops = (at) => at % 2 === 0 || this.spawn.value === "choose" || at === line.last;
    if (by < 0 && line.at === 0) {
      const last = this.edits.pop();
      if (last) {
        this.chooser.set(last.variant.id);
        this.load(last);
      }
      return;
    }
    let at = line.at + by;
    while (at <= line.last && !stops(at)) at += by;
    if (at <= line.last) this.jump(at);
  }

  jump(at) {
    this.line.at = at;
    this.render();
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      speak("Link copied");
      this.share.textContent = "Copied";
    } catch {
      this.trouble(new Error("the browser does not let the page copy: take the link from the address bar"));
    }
    setTimeout(() => { this.share.textContent = "Copy link"; }, 1500);
  }

  trouble(error) {
    this.wrong.textContent = error.message;
    this.wrong.hidden = false;
  }

  address() {
    const { variant, start, text, at, last } = this.line;
    const parts = [`variant=${variant.id}`, `start=${write(start)}`];
    if (text) parts.push(`moves=${text}`);
    if (at < last) parts.push(`at=${at}`);
    history.replaceState(null, "", `#explore?${parts.join("&")}`);
  }

  /** A position as it was answered, asked for once. */
  position(board) {
    return this.once("position", board, () => this.asked("position", { variant: this.line.variant.id, board: write(board), search: true }));
  }

  /** Every tile that can spawn, from a table or by searches. */
  spawns(board) {
    const { variant } = this.line;
    return this.once("spawns", board, async () => {
      if (!await solved(variant.id)) return { outcomes: await searchedSpawns(board, variant), objective: null, exact: false };
      const { outcomes } = await this.asked("spawns", { variant: variant.id, afterstate: write(board) });
      return { outcomes, objective: variant.objective, exact: true };
    });
  }

  /** An answer about the game, once it is there. */
  async asked(path, query) {
    await ready(query.variant, (pace) => { this.pace = pace; });
    return ask(path, query);
  }

  key(kind, board) {
    return `${kind} ${this.line.variant.id} ${write(board)}`;
  }

  once(kind, board, question) {
    const key = this.key(kind, board);
    if (!this.known.has(key)) {
      if (this.known.size > 3000) this.known.clear();
      const answer = question();
      this.known.set(key, answer);
      answer.catch(() => this.known.delete(key));
    }
    return this.known.get(key);
  }

  render() {
    const { line } = this;
    const { node, board } = line;
    const editing = this.mode.value === "edit";
    this.wrong.hidden = true;
    this.view.show(board, { mode: editing ? "edit" : line.waits && !line.won ? "drop" : "view", fresh: node.cell ?? null, merged: node.state ? [] : node.merged, slid: node.slid });
    this.tile.element.hidden = editing || !line.waits;
    this.help.textContent = editing
      ? "Click or + raises a tile, right or shift click or − lowers it; type a number, drag tiles, paste a board."
      : line.waits ? "Choose the cell and the tile that spawns, on the board or in the table." : "Move by arrow keys, WASD, a swipe, or the bars.";
    this.text.value = tiles(board);
    this.back.disabled = line.at === 0 && this.edits.length === 0;
    this.forth.disabled = line.at === line.last;
    if (this.active) this.address();
    this.renderPanel();
    this.record.show(line);
  }

  async renderPanel() {
    const mine = ++this.turn;
    const { line } = this;
    const { board } = line;
    const waits = line.waits && !line.won;
    const began = performance.now();
    const waiting = setInterval(() => {
      if (mine !== this.turn) clearInterval(waiting);
      else this.pending(performance.now() - began);
    }, 250);
    try {
      const shown = waits ? await this.outcomesOf(board, mine) : await this.positionOf(board);
      if (mine === this.turn && shown) this.panel.replaceChildren(...shown);
    } catch (error) {
      if (mine !== this.turn) return;
      this.panel.replaceChildren(make("h2", { id: "position", text: "No answer" }), make("p", { class: "trouble", role: "alert", text: error.message }), this.offer());
    } finally {
      clearInterval(waiting);
    }
  }

  /** Shown while there is no answer yet. */
  pending(ms) {
    const { pace } = this;
    const bar = make("progress", { max: 1, "aria-label": "Solving" });
    if (pace?.total) bar.value = Math.min(pace.done / pace.total, 1);
    this.panel.replaceChildren(make("h2", { id: "position", text: progressText(this.line.variant.id, pace) }), bar,
      make("p", { class: "note", text: `Small games are solved on demand, and kept: ${(ms / 1000).toFixed(1)} s so far.` }));
  }

  async positionOf(board) {
    const position = await this.position(board);
    const objective = position.objective;
    const sure = mark(position.category);
    speak(`${valueText(position, objective)}. ${position.moves.length > 0 ? `Best: ${position.moves.filter((m) => m.is_best).map((m) => m.move).join(", ")}` : position.status}`);
    const parts = [
      make("h2", { id: "position", class: "headline" }, make("span", { class: "number", text: valueText(position, objective) }), sure ? " " : null, sure),
      make("p", { class: "note" }, position.moves.length > 0 && position.value !== null ? `${sentence(meaning(objective))}. ` : null,
        make("strong", { class: position.exact ? "exact" : "searched", text: sourceText(position) })),
    ];
    if (position.moves.length > 0) parts.push(movesList(position, (name) => this.move(name)));
    if (!position.exact && position.moves.length > 0) parts.push(this.offer());
    return parts;
  }

  /** Where a game that is not solved can be. */
  offer() {
    const { variant } = this.line;
    if (variant.target === null || variant.shape.rows * variant.shape.cols > 12) return make("p", { class: "note", text: "" });
    const to = 2 ** variant.target;
    return make("p", { class: "note" }, make("a", { href: `#count?kind=solve&shape=${variant.name}&to=${to}&objective=${variant.objective}`, text: `Solve ${words(variant.id)}` }), " for exact values.");
  }

  async outcomesOf(board, mine) {
    const { variant } = this.line;
    const { outcomes, objective, exact } = await this.spawns(board);
    if (mine !== this.turn) return null;
    const chosen = outcomes.filter((o) => String(o.tile) === this.tile.value);
    const notes = Object.fromEntries(chosen.map((o) => [o.cell, valueText(o, objective).replace(/ (pts|moves)$/, "")]));
    this.view.show(board, { mode: this.mode.value === "edit" ? "edit" : "drop", notes, merged: this.line.node.merged });
    return [make("h2", { id: "position", text: "What can spawn" }),
      make("p", { class: "note" }, `${sentence(meaning(objective))}. `, make("strong", { class: exact ? "exact" : "searched", text: exact ? "Exact." : "Searched one slide deep, not exact." })),
      spawnTable(outcomes, variant.shape, objective, (cell, tile) => this.drop(cell, tile))];
  }
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);
