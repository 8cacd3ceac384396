// Watch and play: a player that plays by itself, or you, with a grade for each move.
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { field, make, segments, select, speak, takesKeys } from "./element.js";
import { Line } from "./line.js";
import { ARROWS, mark, movesList, sourceText } from "./moves.js";
import { grade, lost, whole, valueText } from "./numbers.js";
import { parseBoard, parseVariant, write } from "./notation.js";
import { Playback } from "./playback.js";
import { ready, solved, progressText } from "./ready.js";
import { Dice, KEYS, legal, seedOf } from "./rules.js";
import { FIRST, VariantChooser } from "./variant.js";

const PLIES = 2000;

/** The area in an element. */
export function mount(root) {
  return new Watch(root);
}

class Watch {
  constructor(root) {
    this.root = root;
    this.known = new Map();
    this.who = segments("Who plays", [["player", "A player"], ["you", "You"]], "player", () => this.begin());
    this.chooser = new VariantChooser((id) => { this.id = id; this.begin(); });
    this.depth = select([["", "as deep as it takes"], ["1", "1 slide"], ["2", "2 slides"], ["3", "3 slides"], ["4", "4 slides"]], "2");
    this.depthField = field("Search depth", this.depth);
    this.seed = make("input", { type: "text", inputmode: "numeric", value: "1", size: 4 });
    this.hints = make("input", { type: "checkbox", onchange: () => this.render() });
    this.hintsLabel = make("label", { class: "check" }, this.hints, "Hints before I move");
    this.start = make("form", { class: "row-of", onsubmit: (event) => { event.preventDefault(); this.begin(); } },
      field("Seed", this.seed), make("button", { text: "New game" }));
    this.view = new BoardView("Board", { swipe: (move) => this.move(move) });
    this.playback = new Playback((at) => this.look(at), { more: () => this.advance(), label: "Move" });
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.facts = make("dl", { class: "facts" });
    this.end = make("p", { class: "end", role: "status" });
    this.panel = make("section", { class: "panel", "aria-labelledby": "watch-position" });
    this.moves = make("ol", { class: "line from-one" });
    this.tally = make("p", { class: "note" });
    this.link = make("a", { href: "#explore", text: "Look at this game in Explore" });
    this.help = make("p", { class: "note" });
    root.append(make("h1", { class: "unseen", text: "Watch and play" }), make("div", { class: "bench" },
      make("div", { class: "left" },
        make("div", { class: "top-left" }, make("div", { class: "row-of" }, this.who.element, this.start), this.chooser.element, this.depthField, this.hintsLabel,
          this.wrong, this.view.element, this.playback.element, this.help)),
      make("div", { class: "middle" },
        make("section", { class: "panel", "aria-labelledby": "watch-game" }, make("h2", { id: "watch-game", text: "The game" }), this.facts, this.end, this.link), this.panel),
      make("div", { class: "right" },
        make("section", { class: "panel", "aria-labelledby": "watch-moves" }, make("h2", { id: "watch-moves", text: "Moves" }), this.tally, this.moves))));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  show(asked, changed) {
    this.active = true;
    if (changed) this.chooser.load().catch((error) => this.trouble(error));
    if (this.line && !asked.has("variant")) return;
    this.id = asked.get("variant") ?? FIRST.id;
    if (asked.has("seed")) this.seed.value = asked.get("seed");
    if (asked.has("who")) this.who.value = asked.get("who");
    this.chooser.set(this.id);
    this.begin();
  }

  hide() {
    this.active = false;
    this.playback.pause();
  }

  get you() {
    return this.who.value === "you";
  }

  async begin() {
    this.wrong.hidden = true;
    this.playback.pause();
    const mine = (this.game = {});
    try {
      const variant = parseVariant(this.id);
      const seed = seedOf(this.seed.value);
      history.replaceState(null, "", `#watch?variant=${variant.id}&who=${this.who.value}&seed=${seed}`);
      this.dice = new Dice(seed);
      this.seeded = seed;
      this.over = false;
      this.answers = [];
      this.marks = [];
      this.line = new Line(variant, this.dice.deal(variant));
      this.searched = variant.shape.rows * variant.shape.cols > 12;
      this.playback.element.hidden = this.you;
      this.hintsLabel.hidden = !this.you;
      this.explain();
      this.playback.more = () => this.advance();
      this.playback.load(1);
      this.moves.replaceChildren();
      if (this.you) return;
      if (!this.searched) this.end.textContent = progressText(this.id);
      await ready(this.id, (pace) => { if (mine === this.game) this.end.textContent = progressText(this.id, pace); });
      const known = await solved(this.id);
      if (mine !== this.game) return;
      this.searched = !known;
      this.explain();
      this.end.textContent = "";
      if (known) await this.fetch(mine);
    } catch (error) {
      if (mine === this.game) this.trouble(error);
    }
  }

  /** Who plays, and how. */
  explain() {
    this.depthField.hidden = this.you || !this.searched;
    this.help.textContent = this.you ? "Arrow keys, WASD or swipes move. U takes a move back."
      : this.searched ? "The expectimax player looks ahead; the same seed gives the same tiles."
        : "The optimal player follows the table; the same seed gives the same game everywhere.";
  }

  /** The whole game of the optimal player, which the server plays by the same dice. */
  async fetch(mine) {
    const game = await ask("line", { variant: this.id, seed: this.seeded, plies: PLIES });
    if (mine !== this.game) return;
    const line = new Line(this.line.variant, parseBoard(game.start, this.line.variant.shape));
    this.answers = [];
    for (const played of game.moves) {
      this.answers.push(played);
      line.slide(played.move);
      if (played.cell !== null) line.drop(played.cell, played.tile);
      this.list(played.move);
    }
    this.answers.push(game);
    this.line = line;
    this.ended = game.end;
    this.playback.more = null;
    this.playback.load(this.answers.length);
  }

  /** Shows the position after a number of moves. */
  look(at) {
    const node = this.line.stateOf(at);
    this.line.jump(node < 0 ? this.line.last : node);
    this.render();
  }

  /** The move of the expectimax player. */
  async advance() {
    const mine = this.game;
    const { line } = this;
    if (line.won || legal(line.board).length === 0) {
      this.render();
      return false;
    }
    try {
      const position = await ask("advice", { board: write(line.board), shape: line.variant.name, depth: this.depth.value });
      if (mine !== this.game || position.moves.length === 0) return false;
      this.answers[line.node.ply] = position;
      this.make(position.moves[0].move);
      this.playback.last = this.playback.at = line.node.ply;
      this.playback.refresh();
      this.render();
      return true;
    } catch (error) {
      if (mine === this.game) this.trouble(error);
      return false;
    }
  }

  /** A move with the tile of the dice. */
  make(move) {
    const { line } = this;
    if (!line.slide(move)) return false;
    if (!line.won) {
      const { cell, tile } = this.dice.fall(line.board, line.variant);
      line.drop(cell, tile);
    }
    this.list(move);
    return true;
  }

  list(move, graded = null) {
    this.moves.append(make("li", {}, make("span", { class: "ply", "data-grade": graded?.name ?? false },
      make("span", { text: ARROWS[move], "aria-hidden": true }), make("span", { class: "unseen", text: move }), graded ? make("span", { class: "sign", text: ` ${graded.sign} ${graded.word}` }) : null)));
    this.moves.scrollTop = this.moves.scrollHeight;
  }

  key(event) {
    if (!this.active || event.defaultPrevented || takesKeys(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.you && KEYS[event.key]) this.move(KEYS[event.key]);
    else if (this.you && event.key === "u") this.takeBack();
    else if (!this.you && event.key === " " && event.target === document.body) this.playback.toggle.click();
    else return;
    event.preventDefault();
  }

  /** Your move, and its grade. */
  async move(name) {
    if (!this.you) return;
    const mine = this.game;
    const { board, node } = this.line;
    if (!this.make(name)) {
      speak(`${name} changes nothing`);
      return;
    }
    const item = this.moves.lastElementChild;
    this.render();
    try {
      const position = await this.position(board);
      const made = position.moves.find((m) => m.move === name);
      if (mine !== this.game || !made) return;
      const best = position.moves.find((m) => m.is_best);
      const g = grade(made, best?.value ?? position.value, position.objective);
      this.marks[node.ply] = made.loss ?? 0;
      if (g) {
        item.firstChild.dataset.grade = g.name;
        const detail = g.name === "best" ? "" : ` ${lost(made.loss, position.objective)}, ${best.move} was best`;
        item.firstChild.append(make("span", { class: "sign", text: ` ${g.sign} ${g.word}${detail}` }));
        speak(`${name}: ${g.word}${detail}`);
      }
      this.total(position);
    } catch (error) {
      if (mine === this.game) this.trouble(error);
    }
  }

  total(position) {
    const moves = this.marks.filter((loss) => loss !== undefined);
    const slips = moves.filter((loss) => loss > 0);
    const sum = slips.reduce((a, b) => a + b, 0);
    this.tally.textContent = `${moves.length - slips.length} of ${moves.length} moves were best${slips.length > 0 ? `; lost ${lost(sum, position.objective).slice(1)} in all` : ""}.${position.exact ? "" : " By search, not exact."}`;
  }

  takeBack() {
    const { line } = this;
    const { ply } = line.node;
    if (ply === 0) return;
    line.at = line.stateOf(ply - 1);
    line.cut();
    this.marks.length = ply - 1;
    this.moves.lastElementChild?.remove();
    this.render();
  }

  position(board) {
    const key = `${this.id} ${write(board)}`;
    if (!this.known.has(key)) {
      if (this.known.size > 3000) this.known.clear();
      const answer = ready(this.id).then(() => ask("position", { variant: this.id, board: write(board), search: true }));
      this.known.set(key, answer);
      answer.catch(() => this.known.delete(key));
    }
    return this.known.get(key);
  }

  trouble(error) {
    this.end.textContent = "";
    this.wrong.textContent = error.message;
    this.wrong.hidden = false;
  }

  render() {
    const { line } = this;
    const { node, board, variant } = line;
    this.view.show(board, { fresh: node.cell ?? null, merged: node.merged ?? [], slid: node.slid });
    const largest = Math.max(...board.cells);
    const facts = [["Move", whole(node.ply)], ["Score", whole(node.score)], ["Largest tile", largest === 0 ? "none" : String(2 ** largest)]];
    this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
    const stuck = legal(board).length === 0;
    const last = line.at === line.last;
    this.end.textContent = line.won ? `Won after ${node.ply} moves.` : stuck && last ? `Lost after ${node.ply} moves.` : "";
    this.end.dataset.end = line.won ? "won" : stuck ? "lost" : "";
    this.link.href = `#explore?variant=${variant.id}&start=${write(line.start)}${line.text ? `&moves=${line.text}` : ""}`;
    [...this.moves.children].forEach((item, i) => {
      if (i + 1 === node.ply) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    if (this.marks.length === 0) this.tally.textContent = this.you ? "Each move gets a grade." : "";
    this.renderPanel();
  }

  async renderPanel() {
    const { line } = this;
    const shown = this.you ? this.hints.checked : true;
    this.panel.hidden = !shown;
    if (!shown || line.won) {
      this.panel.hidden = true;
      return;
    }
    const mine = (this.asking = {});
    try {
      // The searching player has left its answers, that before its last move if there is none here;
      // others are asked for.
      const { ply } = line.node;
      const before = !this.you && this.searched && !this.answers[ply];
      const position = !this.you && this.searched ? this.answers[ply] ?? this.answers[ply - 1] : await this.position(line.board);
      if (mine !== this.asking) return;
      if (!position?.moves?.length) {
        this.panel.hidden = true;
        return;
      }
      const sure = mark(position.category);
      this.panel.replaceChildren(make("h2", { id: "watch-position", class: "headline" }, make("span", { class: "number", text: valueText(position, position.objective) }), sure ? " " : null, sure),
        make("p", { class: "note" }, before ? "Before the last move. " : null, make("strong", { class: position.exact ? "exact" : "searched", text: sourceText(position) })),
        movesList(position, this.you ? (name) => this.move(name) : null));
    } catch (error) {
      if (mine === this.asking) this.trouble(error);
    }
  }
}
