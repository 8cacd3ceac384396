// Analyse: a game of 2048 with the value of every move; you play it, the AI plays it, or it is pasted.
import { AiBar } from "./aibar.js";
import { Answers } from "./answers.js";
import { BoardView } from "./board.js";
import { choice, field, make, select, speak } from "./element.js";
import { chips, FIRST } from "./examples.js";
import { Game, lineAt } from "./game.js";
import { gameKeys, keysDialog } from "./keys.js";
import { gameLink, positionLink, readLink } from "./links.js";
import { tile as tileText, write } from "./notation.js";
import { whole } from "./numbers.js";
import { analysed, PositionPanel } from "./panel.js";
import { PasteBox } from "./pastebox.js";
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
/** Someone who moves again this soon plays on, and the values wait a little for the next move. */
const SOON = 600;
const HASTE = 120;
const RULES = [["random", "random"], ["choose", "place them myself"], ["best", "the luckiest"], ["worst", "the unluckiest"]];
const HELP = {
  view: "Arrow keys, WASD or swipes move.",
  edit: "Click or + raises a tile, right or shift click or − lowers it; type a number, drag tiles.",
  drop: "Choose the cell of the new tile.",
};

/** The area in an element. */
export function mount(root) {
  return new Analyse(root);
}

class Analyse {
  constructor(root) {
    this.answers = new Answers();
    this.game = new Game(() => this.loaded());
    this.parts();
    this.build(root);
    gameKeys({
      active: () => this.active && !this.editing,
      move: (name) => this.move(name), undo: () => this.step(-1), redo: () => this.step(1),
      toggle: () => this.ai.toggle(), hints: () => this.press(this.hints), help: () => this.keys.showModal(),
      nextMistake: () => this.review?.next(1), lastMistake: () => this.review?.next(-1),
    });
    setTimeout(() => this.addReview().catch((error) => this.trouble(error)), LATER);
    addEventListener("pagehide", () => this.keep({ leaving: true }));
    document.addEventListener("visibilitychange", () => document.hidden && this.keep());
  }

  get line() {
    return this.game.line;
  }

  /** The parts that do something by themselves. */
  parts() {
    const { game, answers } = this;
    this.chooser = new VariantChooser((id) => this.attempt(() => game.aim(id)));
    this.view = new BoardView("Board", {
      raise: (cell, by) => game.edit(cell, this.line.board.cells[cell] + by), set: (cell, e) => game.edit(cell, e), carry: (from, to) => game.carry(from, to),
      drop: (cell) => this.drop(cell, Number(this.tile.value)), swipe: (move) => this.move(move),
    });
    this.sides = new Sides(this.view.element, (move) => this.move(move));
    this.panel = new PositionPanel(answers, {
      onmove: (move) => this.move(move),
      onspawn: (move, cell, tile) => this.spawned(move, cell, tile),
      onposition: (position) => this.sides.show(this.line.board, position, { hidden: !this.hinting }),
      // The values of a board stay a while after it is left, and its walls are elsewhere then.
      onwalls: (board, walls) => this.view.outline(write(board) === write(this.view.board) ? walls : []),
    });
    this.rule = select(RULES, "random", () => this.settle());
    this.tile = choice("Tile to place", [["2", "2"], ["4", "4"]], "2", () => this.render());
    this.ai = new AiBar({
      game: () => ({
        line: this.line, seed: game.seed, rule: this.rule.value,
        think: (board) => answers.position(this.line.variant, board), solved: (variant) => answers.isSolved(variant),
      }),
      onstart: () => this.editor.setAttribute("aria-pressed", "false"),
      onstep: () => this.render(),
      onstop: (error) => this.stopped(error),
      onchange: () => this.line && this.render(),
    });
    this.box = new PasteBox({ active: () => this.active, onread: (text) => this.attempt(() => this.note(game.paste(text))) });
    this.keys = keysDialog();
  }

  build(root) {
    const button = (text, title, onclick) => make("button", { type: "button", text, title, onclick });
    const switched = (text, title, on) => {
      const made = button(text, title, () => this.press(made));
      made.setAttribute("aria-pressed", String(on));
      return made;
    };
    this.back = button("↶ Undo", "Undo (U)", () => this.step(-1));
    this.forth = button("↷ Redo", "Redo (R)", () => this.step(1));
    this.hints = switched("Values", "Show or hide the values (H)", true);
    this.editor = switched("Edit board", "Change the tiles of the board", false);
    this.share = button("Copy link", "Copy a link to this position, or to the game if it is short", () => this.copy());
    this.facts = make("dl", { class: "facts slim" });
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.help = make("p", { class: "note help" });
    this.broken = make("section", { class: "panel broken", hidden: true });
    this.right = make("div", { class: "right" });
    const row = (...children) => make("div", { class: "row-of" }, ...children);
    const buttons = (...children) => make("div", { class: "row-of buttons" }, ...children);
    this.left = make("div", { class: "left" },
      make("div", { class: "top-left" }, this.sides.element, this.wrong,
        buttons(this.back, this.forth, button("New game", "A new game by dice", () => this.game.begin()), this.hints),
        row(this.ai.choice.element, this.facts), this.ai.element, this.ai.status, this.tile.element),
      make("div", { class: "tools" }, this.help, row(this.chooser.element, field("New tiles", this.rule)),
        buttons(button("Restart", "This game from its first board", () => this.game.restart()), this.editor, this.share,
          button("Keys", "The keys (?)", () => this.keys.showModal()))));
    this.bench = make("div", { class: "bench" }, this.left, make("div", { class: "middle" }, this.panel.element), this.right);
    root.append(make("header", { class: "intro" }, make("h1", { text: "2048 analysed" }),
      make("p", { text: "What every move is worth, and how likely the next big tiles are. Play, paste a board, watch the AI." }),
      chips(({ game, board }) => this.game.open(lineAt(game, board)))),
    this.box.element, this.broken, this.bench, this.keys);
  }

  /** The review and the notebook come after what is seen first. */
  async addReview() {
    const [{ Review }, { Notebook }] = await Promise.all([import("./review.js"), import("./notebook.js")]);
    this.review = new Review({
      onjump: (at) => this.jump(at),
      onopen: (line, note) => this.opened(line, note),
      ontrouble: (error) => this.trouble(error),
    });
    this.notebook = new Notebook({ onopen: ({ variant, board }) => this.opened(lineAt(variant, board)) });
    this.right.append(this.review.element, this.notebook.element);
    this.left.append(this.review.under);
    if (this.line) this.review.show(this.line);
  }

  get hinting() {
    return this.hints.getAttribute("aria-pressed") === "true";
  }

  get editing() {
    return this.editor.getAttribute("aria-pressed") === "true";
  }

  /** A button that stays pressed is pressed. */
  press(button) {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    if (this.editing) this.ai.pause();
    this.render();
    if (this.editing) this.view.focus();
  }

  show(asked, changed, written = "") {
    this.active = true;
    if (changed) this.chooser.load().catch(() => {});
    if (written === "watch") this.ai.turnTo(asked.get("who") === "you" ? "you" : "ai");
    const key = asked.toString();
    if (this.line && (key === "" || key === this.address)) return this.keep();
    const saved = this.line ? null : restore();
    if (saved) this.adopt(saved);
    this.address = key;
    if (saved && (saved.again || key === saved.address)) return this.game.load(this.line);
    try {
      const link = readLink(asked);
      if (link) this.game.follow(link);
      else this.game.load(this.line ?? lineAt(FIRST.game, FIRST.board));
    } catch (error) {
      this.refuse(error);
    }
  }

  hide() {
    this.ai.pause();
    this.keep({ leaving: true });
    this.active = false;
  }

  /** What was kept from the last visit. */
  adopt({ line, seed, rule, who, hints }) {
    this.game.line = line;
    this.game.seed = seed ?? this.game.seed;
    this.rule.value = rule ?? "random";
    this.hints.setAttribute("aria-pressed", String(hints ?? true));
    if (who) this.ai.turnTo(who);
  }

  /** A link that cannot be read is no reason to show something else. */
  refuse(error) {
    this.ai.pause();
    const offers = [["Open the standard game", () => this.game.open(lineAt(FIRST.game, FIRST.board))]];
    if (this.line) offers.push(["Back to my game", () => this.game.load(this.line)]);
    this.broken.replaceChildren(make("h2", { text: "This link cannot be opened" }), make("p", { class: "trouble", role: "alert", text: error.message }),
      make("div", { class: "row-of buttons" }, offers.map(([text, onclick]) => make("button", { type: "button", text, onclick }))));
    this.broken.hidden = false;
    this.bench.hidden = true;
  }

  /** Another line is there. */
  loaded() {
    this.ai.pause();
    this.broken.hidden = true;
    this.bench.hidden = false;
    this.chooser.set(this.line.variant.id);
    this.render();
  }

  /** A game or a position from outside. */
  opened(line, note = null) {
    this.game.open(line);
    this.note(note);
  }

  note(text) {
    if (text) this.trouble(new Error(text));
  }

  /** Does what may fail; whether it was done. */
  attempt(work) {
    try {
      work();
      return true;
    } catch (error) {
      this.trouble(error);
      return false;
    }
  }

  trouble(error) {
    this.wrong.textContent = error.message;
    this.wrong.hidden = false;
  }

  move(name) {
    const { line } = this;
    if (this.editing || !line || !this.broken.hidden) return;
    this.ai.pause();
    if (line.waits) speak("Place the new tile first");
    else if (!line.slide(name)) speak(`${name} is not possible`);
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
    try {
      const { cell, tile } = line.fallen ?? (rule === "random" ? line.fall(this.game.seed) : await this.wanted(line, rule));
      this.drop(cell, tile);
    } catch (error) {
      this.trouble(error);
    }
  }

  /** The luckiest or the unluckiest tile; none if the game has gone on meanwhile. */
  async wanted(line, rule) {
    const { at } = line;
    this.render();
    const { outcomes, objective } = await this.answers.spawns(line.variant, line.board);
    const sorted = ranked(outcomes, objective);
    return line === this.line && line.at === at ? sorted.at(rule === "best" ? 0 : -1) : {};
  }

  drop(cell, tile) {
    if (this.line.drop(cell, tile)) this.render();
  }

  /** A row of the table of spawns: the tile, after the move that it is about. */
  spawned(move, cell, tile) {
    if (move === null || this.line.slide(move)) this.drop(cell, tile);
  }

  step(by) {
    this.ai.pause();
    this.game.step(by, this.rule.value === "choose");
    this.render();
  }

  jump(at) {
    this.ai.pause();
    this.line.jump(at);
    this.render();
  }

  /** The AI has stopped, and may have left a tile to come. */
  stopped(error) {
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
      this.note(`The browser does not let the page copy. The link is ${text}`);
    }
  }

  /** Keeps the game, and says in the address what is shown. */
  keep({ leaving = false } = {}) {
    clearTimeout(this.resting);
    this.resting = null;
    if (!this.line || !this.active || !this.broken.hidden) return;
    // The address may belong to another area by now, or to no page at all.
    if (!leaving && /^(#(analyse|explore|watch)?(\?|$)|$)/.test(location.hash)) this.name(positionLink(this.line));
    save(this.line, { seed: this.game.seed, rule: this.rule.value, who: this.ai.who, hints: this.hinting, address: this.address });
  }

  /** Puts what is shown into the address. */
  name(address) {
    this.address = new URLSearchParams(address.split("?")[1]).toString();
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  render() {
    const { line, game, ai } = this;
    const { node, board, waits } = line;
    const mode = this.editing ? "edit" : waits && this.rule.value === "choose" ? "drop" : "view";
    this.wrong.hidden = true;
    this.view.show(board, { mode, fresh: node.cell ?? null, merged: node.merged ?? [], slid: ai.hurries ? null : node.slid });
    this.tile.element.hidden = mode !== "drop";
    this.help.textContent = HELP[mode];
    this.back.disabled = !game.canUndo;
    this.forth.disabled = line.at >= line.last;
    const largest = Math.max(...board.cells);
    const facts = [["Score", whole(node.score)], ["Move", whole(node.ply)], ["Largest", largest === 0 ? "none" : tileText(largest)]];
    this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
    ai.show(line);
    this.renderValues();
    this.review?.show(line);
    this.resting ??= setTimeout(() => this.keep(), REST);
  }

  /** The values, unless moves go by too fast to read them. */
  renderValues() {
    const { line, hinting, ai } = this;
    this.sides.show(line.board, null, { hidden: !hinting || ai.hurries || !analysed(line.variant), waits: line.waits && !this.editing });
    const now = performance.now();
    const pause = now - (this.rendered ?? 0) < SOON ? HASTE : 0;
    this.rendered = now;
    if (!ai.hurries) this.panel.show(line, { pause, hidden: !hinting });
    else if (hinting && now - (this.glimpsed ?? 0) > GLIMPSE) {
      this.glimpsed = now;
      this.panel.skip(ai.autoplay.answer, line.variant);
    }
  }
}
