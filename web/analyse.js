// Analyse: a game of 2048 with the value of every move; you play it, the AI plays it, or it is pasted.
import { Answers } from "./answers.js";
import { Autoplay, SPEEDS } from "./autoplay.js";
import { BoardView } from "./board.js";
import { choice, field, make, select, speak } from "./element.js";
import { chips, FIRST } from "./examples.js";
import { gameKeys, keysDialog } from "./keys.js";
import { Line } from "./line.js";
import { gameLink, positionLink, readLink } from "./links.js";
import { parseBoard, parseVariant, tile as tileText, tiles, write } from "./notation.js";
import { whole } from "./numbers.js";
import { analysed, PositionPanel } from "./panel.js";
import { readLine } from "./paste.js";
import { Dice, legal, put, seedOf } from "./rules.js";
import { restore, save } from "./saved.js";
import { Sides } from "./sides.js";
import { ranked } from "./spawns.js";
import { VariantChooser } from "./variant.js";

/** How long the game rests before it is kept and put into the address, in milliseconds. */
const REST = 300;
/** How long the review waits for the rest of the page to load. */
const LATER = 250;
/** How often the headline changes while moves go by too fast to read their values. */
const GLIMPSE = 400;
/** How long someone who plays on is not asked after. */
const HASTE = 120;

/** The area in an element. */
export function mount(root) {
  return new Analyse(root);
}

class Analyse {
  constructor(root) {
    this.answers = new Answers();
    this.past = [];
    this.seed = newSeed();
    this.build(root);
    this.autoplay = new Autoplay({
      game: () => ({ line: this.line, seed: this.seed, rule: this.rule.value, think: (board) => this.answers.position(this.line.variant, board), solved: (variant) => this.answers.isSolved(variant) }),
      onstep: () => this.render({ quick: true }),
      onstop: (error) => this.stopped(error),
    });
    gameKeys({
      active: () => this.active && !this.editing,
      move: (name) => this.move(name), undo: () => this.step(-1), redo: () => this.step(1), toggle: () => this.toggleAi(), hints: () => this.toggleHints(),
      help: () => this.keys.showModal(), nextMistake: () => this.review?.next(1), lastMistake: () => this.review?.next(-1),
    });
    document.addEventListener("paste", (event) => this.pasted(event));
    setTimeout(() => this.addReview().catch((error) => this.trouble(error)), LATER);
    addEventListener("pagehide", () => this.keep({ leaving: true }));
    document.addEventListener("visibilitychange", () => document.hidden && this.keep());
  }

  build(root) {
    const button = (text, title, onclick) => make("button", { type: "button", text, title, onclick });
    this.chooser = new VariantChooser((id) => this.play(id));
    this.view = new BoardView("Board", {
      raise: (cell, by) => this.edit(cell, this.line.board.cells[cell] + by), set: (cell, e) => this.edit(cell, e), carry: (from, to) => this.carry(from, to),
      drop: (cell) => this.drop(cell, Number(this.tile.value)), swipe: (move) => this.move(move),
    });
    this.sides = new Sides(this.view.element, (move) => this.move(move));
    this.panel = new PositionPanel(this.answers, {
      onmove: (move) => this.move(move),
      onspawn: (move, cell, tile) => this.spawned(move, cell, tile),
      onposition: (position) => this.sides.show(this.line.board, position, { hidden: !this.hinting }),
    });
    this.back = button("↶ Undo", "Undo (U)", () => this.step(-1));
    this.forth = button("↷ Redo", "Redo (R)", () => this.step(1));
    this.hintsButton = make("button", { type: "button", text: "Values", title: "Show or hide the values (H)", "aria-pressed": "true", onclick: () => this.toggleHints() });
    this.editButton = make("button", { type: "button", text: "Edit board", "aria-pressed": "false", onclick: () => this.toggleEdit() });
    this.share = button("Copy link", "Copy a link to this position, or to the game if it is short", () => this.copy());
    this.who = choice("Who plays", [["ai", "Watch the AI"], ["you", "Play yourself"]], "you", () => this.turnTo(this.who.value));
    this.rule = select([["random", "random"], ["choose", "place them myself"], ["best", "the luckiest"], ["worst", "the unluckiest"]], "random", () => this.settle());
    this.tile = choice("Tile to place", [["2", "2"], ["4", "4"]], "2", () => this.render());
    this.speed = select(SPEEDS, "4", () => { this.autoplay.rate = Number(this.speed.value); });
    this.toggle = make("button", { type: "button", class: "main", text: "▶ Play", title: "Play or pause (Space)", onclick: () => this.toggleAi() });
    this.aiBar = make("div", { class: "row-of buttons", hidden: true }, this.toggle, button("One move", "The AI makes one move", () => this.autoplay.step()),
      button("To the end", "The AI plays to the end of the game", () => this.startAi(Infinity)), field("Speed", this.speed));
    this.status = make("p", { class: "note ai-status", role: "status" });
    this.facts = make("dl", { class: "facts slim" });
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.help = make("p", { class: "note help" });
    this.keys = keysDialog();
    this.text = make("textarea", { rows: 1, spellcheck: "false", autocomplete: "off", class: "mono", placeholder: "2,4,8,16/… or 0x…, moves, a link", onkeydown: (event) => this.typed(event) });
    const paste = make("form", { class: "inline paste", onsubmit: (event) => { event.preventDefault(); this.read(this.text.value); } }, field("Paste a board or a game", this.text), make("button", { text: "Open" }));
    this.bench = make("div", { class: "bench" },
      (this.left = make("div", { class: "left" },
        make("div", { class: "top-left" }, this.sides.element, this.wrong,
          make("div", { class: "row-of buttons" }, this.back, this.forth, button("New game", "A new game by dice", () => this.begin()), this.hintsButton),
          make("div", { class: "row-of who" }, this.who.element, this.facts)),
        make("div", { class: "tools" }, this.aiBar, this.status, this.tile.element, this.help,
          make("div", { class: "row-of" }, this.chooser.element, field("New tiles", this.rule)),
          make("div", { class: "row-of buttons" }, button("Restart", "This game from its first board", () => this.restart(this.line.start)), this.editButton, this.share, button("Keys", "The keys (?)", () => this.keys.showModal()))))),
      make("div", { class: "middle" }, this.panel.element),
      (this.right = make("div", { class: "right" })));
    this.broken = make("section", { class: "panel broken", hidden: true });
    root.append(make("header", { class: "intro" }, make("h1", { text: "2048 analysed" }),
      make("p", { text: "What every move is worth, and how likely the next big tiles are. Play, paste a board, watch the AI." }), chips((example) => this.example(example))),
    paste, this.broken, this.bench, this.keys);
  }

  /** The review and the notebook come after what is seen first. */
  async addReview() {
    const [{ Review }, { Notebook }] = await Promise.all([import("./review.js"), import("./notebook.js")]);
    this.review = new Review({
      onjump: (at) => { this.autoplay.pause(); this.jump(at); },
      onopen: (line, note) => this.opened(line, note),
      ontrouble: (error) => this.trouble(error),
    });
    this.notebook = new Notebook({ onopen: ({ variant, board }) => this.opened(lineAt(variant, board)) });
    this.right.append(this.review.element, this.notebook.element);
    this.left.append(this.review.under);
    if (this.line) this.review.show(this.line);
  }

  get hinting() {
    return this.hintsButton.getAttribute("aria-pressed") === "true";
  }

  get editing() {
    return this.editButton.getAttribute("aria-pressed") === "true";
  }

  show(asked, changed, written = "") {
    this.active = true;
    if (changed) this.chooser.load().catch(() => {});
    if (written === "watch") this.turnTo(asked.get("who") === "you" ? "you" : "ai");
    const key = asked.toString();
    if (this.line && (key === "" || key === this.address)) return this.keep();
    const saved = this.line ? null : restore();
    if (saved) this.adopt(saved);
    this.address = key;
    if (saved && (saved.again || key === saved.address)) return this.load(this.line);
    try {
      const link = readLink(asked);
      if (link) this.openLink(link);
      else if (!this.line) this.example(FIRST);
      else this.load(this.line);
    } catch (error) {
      this.refuse(error);
    }
  }

  hide() {
    this.autoplay.pause();
    this.keep({ leaving: true });
    this.active = false;
  }

  /** What was kept from the last visit. */
  adopt({ line, seed, rule, who, hints }) {
    this.line = line;
    this.seed = seed ?? this.seed;
    this.rule.value = rule ?? "random";
    this.hintsButton.setAttribute("aria-pressed", String(hints ?? true));
    if (who) this.turnTo(who);
  }

  /** The line of a link; where it is a position of the game in hand, the game stays. */
  openLink({ line, seed }) {
    const same = this.line && this.line.variant.id === line.variant.id && line.length === 0 && write(this.line.board) === write(line.board);
    if (seed !== null) this.seed = seed;
    if (!same && this.line) this.remember();
    this.load(same ? this.line : line);
  }

  /** A link that cannot be read is no reason to show something else. */
  refuse(error) {
    this.autoplay.pause();
    const offers = [["Open the standard game", () => this.example(FIRST)]];
    if (this.line) offers.push(["Back to my game", () => this.load(this.line)]);
    this.broken.replaceChildren(make("h2", { text: "This link cannot be opened" }), make("p", { class: "trouble", role: "alert", text: error.message }),
      make("div", { class: "row-of buttons" }, offers.map(([text, onclick]) => make("button", { type: "button", text, onclick }))));
    this.broken.hidden = false;
    this.bench.hidden = true;
  }

  load(line) {
    this.autoplay.pause();
    this.line = line;
    this.broken.hidden = true;
    this.bench.hidden = false;
    this.chooser.set(line.variant.id);
    this.render();
  }

  remember() {
    this.past.push(this.line.copy());
    if (this.past.length > 100) this.past.shift();
  }

  /** Another line, which undo takes back. */
  open(line) {
    if (this.line) this.remember();
    this.load(line);
  }

  example({ game, board }) {
    const variant = parseVariant(game);
    this.open(new Line(variant, parseBoard(board, variant.shape)));
  }

  /** Another goal: the same game where the board has the same shape. */
  play(id) {
    this.attempt(() => {
      const variant = parseVariant(id);
      const same = this.line.variant.name === variant.name;
      this.open(same ? Line.of(variant, this.line.start, this.line.plies(), this.line.at) : new Line(variant, new Dice(this.seed).deal(variant)));
    });
  }

  begin() {
    this.seed = newSeed();
    this.open(new Line(this.line.variant, new Dice(this.seed).deal(this.line.variant)));
  }

  restart(board) {
    this.open(new Line(this.line.variant, board));
  }

  edit(cell, e) {
    if (e >= 0 && e <= 17) this.restart(put(this.line.board, cell, e));
  }

  carry(from, to) {
    const { board } = this.line;
    const lifted = put(board, from, to === null ? 0 : board.cells[to]);
    this.restart(to === null ? lifted : put(lifted, to, board.cells[from]));
  }

  /** Enter opens what was typed; a line break needs shift. */
  typed(event) {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.read(this.text.value);
  }

  pasted(event) {
    const box = event.target === this.text;
    if (!this.active || (!box && event.target.closest?.("input, textarea"))) return;
    const text = event.clipboardData?.getData("text");
    if (!text) return;
    event.preventDefault();
    if (box) this.text.value = text;
    this.read(text);
  }

  read(text) {
    this.attempt(() => {
      const { line, note } = readLine(text, this.line?.variant);
      this.opened(line, note);
      this.text.value = "";
      this.text.blur();
    });
  }

  /** A game or a position from outside, shown from its beginning. */
  opened(line, note = null) {
    this.open(line);
    if (note) this.trouble(new Error(note));
  }

  attempt(work) {
    try {
      work();
    } catch (error) {
      this.trouble(error);
    }
  }

  move(name) {
    if (this.editing || !this.line) return;
    if (this.autoplay.playing) this.autoplay.pause();
    const { line } = this;
    if (line.waits) return speak("Place the new tile first");
    if (!line.slide(name)) return speak(`${name} is not possible`);
    if (line.fallen && this.rule.value !== "choose") this.drop(line.fallen.cell, line.fallen.tile);
    else this.settle();
  }

  /** A tile falls, unless the user is to place it. */
  async settle() {
    const { line } = this;
    const rule = this.rule.value;
    if (!line?.waits || rule === "choose") {
      this.render();
      // The cell is chosen by keys as well.
      if (line?.waits) this.view.focus();
      return;
    }
    const { at } = line;
    try {
      if (rule === "random") {
        const { cell, tile } = line.fall(this.seed);
        return this.drop(cell, tile);
      }
      this.render();
      const { outcomes, objective } = await this.answers.spawns(line.variant, line.board);
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

  /** A row of the table of spawns: the tile, after the move that it is about. */
  spawned(move, cell, tile) {
    if (move === null || this.line.slide(move)) this.drop(cell, tile);
  }

  /** To the last or next position; other lines are undone before the start. */
  step(by) {
    this.autoplay.pause();
    const { line } = this;
    if (by < 0 && line.at === 0) {
      const last = this.past.pop();
      if (last) this.load(last);
      return;
    }
    const every = this.rule.value === "choose";
    const to = every ? line.at + by : by < 0 ? 2 * Math.ceil(line.at / 2) - 2 : 2 * Math.floor(line.at / 2) + 2;
    if (to >= 0 && to <= line.last) this.jump(to);
    else if (to === line.last + 1 && line.at < line.last) this.jump(line.last);
  }

  jump(at) {
    this.line.jump(at);
    this.render();
  }

  toggleHints() {
    this.hintsButton.setAttribute("aria-pressed", String(!this.hinting));
    this.render();
  }

  toggleEdit() {
    this.editButton.setAttribute("aria-pressed", String(!this.editing));
    this.render();
    if (this.editing) this.view.focus();
  }

  turnTo(who) {
    this.who.value = who;
    this.aiBar.hidden = who !== "ai";
    if (who === "you") this.autoplay?.pause();
    if (this.line) this.render();
  }

  toggleAi() {
    if (this.autoplay.playing) this.autoplay.pause();
    else this.startAi(Number(this.speed.value));
  }

  startAi(rate) {
    if (this.who.value !== "ai") this.turnTo("ai");
    this.autoplay.pause();
    this.editButton.setAttribute("aria-pressed", "false");
    this.toggle.textContent = "❚❚ Pause";
    this.autoplay.play(rate);
  }

  stopped(error) {
    this.toggle.textContent = "▶ Play";
    this.autoplay.rate = Number(this.speed.value);
    if (this.line) this.settle();
    if (error) this.trouble(error);
  }

  async copy() {
    const text = new URL(gameLink(this.line), location.href).href;
    try {
      await navigator.clipboard.writeText(text);
      this.share.textContent = "Copied";
      speak("Link copied");
      setTimeout(() => { this.share.textContent = "Copy link"; }, 1500);
    } catch {
      this.trouble(new Error(`The browser does not let the page copy. The link is ${text}`));
    }
  }

  trouble(error) {
    this.wrong.textContent = error.message;
    this.wrong.hidden = false;
  }

  /** Keeps the game, and says in the address what is shown. */
  keep({ leaving = false } = {}) {
    clearTimeout(this.resting);
    this.resting = null;
    if (!this.line || !this.active || !this.broken.hidden) return;
    // The address may belong to another area by now, or to no page at all.
    if (!leaving && /^(#(analyse|explore|watch)?(\?|$)|$)/.test(location.hash)) this.name(positionLink(this.line));
    save(this.line, { seed: this.seed, rule: this.rule.value, who: this.who.value, hints: this.hinting, address: this.address });
  }

  /** Puts what is shown into the address. */
  name(address) {
    this.address = new URLSearchParams(address.split("?")[1]).toString();
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  render({ quick = false } = {}) {
    const { line } = this;
    const { node, board, waits, variant } = line;
    const mode = this.editing ? "edit" : waits && this.rule.value === "choose" ? "drop" : "view";
    this.wrong.hidden = true;
    this.view.show(board, { mode, fresh: node.cell ?? null, merged: node.merged ?? [], slid: quick && this.autoplay.rate > 15 ? null : node.slid });
    this.tile.element.hidden = mode !== "drop";
    this.help.textContent = { edit: "Click or + raises a tile, right or shift click or − lowers it; type a number, drag tiles.", drop: "Choose the cell of the new tile." }[mode]
      ?? "Arrow keys, WASD or swipes move.";
    this.back.disabled = line.at === 0 && this.past.length === 0;
    this.forth.disabled = line.at >= line.last;
    const largest = Math.max(...board.cells);
    const facts = [["Score", whole(node.score)], ["Move", whole(node.ply)], ["Largest", largest === 0 ? "none" : tileText(largest)]];
    this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
    this.status.textContent = this.who.value !== "ai" ? "" : this.autoplay?.playing ? `The AI plays: move ${whole(node.ply)}.`
      : legal(board).length === 0 && !waits ? `Game over after ${whole(node.ply)} moves.` : variant.target !== null && line.won ? `${tileText(variant.target)} is reached.` : "Idle.";
    this.renderValues(quick);
    this.review?.show(line);
    this.resting ??= setTimeout(() => this.keep(), REST);
  }

  /** The values, unless moves go by too fast to read them. */
  renderValues(quick) {
    const { line } = this;
    const settings = { hidden: !this.hinting || !analysed(line.variant), waits: line.waits };
    if (this.editing) settings.waits = false;
    const slow = !quick || this.autoplay.rate <= 4;
    this.sides.show(line.board, null, slow ? settings : { ...settings, hidden: true });
    if (slow) this.panel.show(line, { pause: HASTE, hidden: !this.hinting });
    else if (this.hinting && performance.now() - (this.glimpse ?? 0) > GLIMPSE) {
      this.glimpse = performance.now();
      this.panel.skip(this.autoplay.answer, line.variant);
    }
  }
}

const newSeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

const lineAt = (id, board) => {
  const variant = parseVariant(id);
  return new Line(variant, parseBoard(board, variant.shape));
};
