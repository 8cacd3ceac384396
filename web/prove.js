// Prove: Slider against Dropper. One of them has a proven strategy; you play either side, or watch both.
import { addressOf, keep, keepSoon, Link } from "./address.js";
import { ask } from "./backend.js";
import { BoardView } from "./board.js";
import { Contest } from "./contest.js";
import { NAMES, plyText, proofText, saysText } from "./contesttext.js";
import { field, make, segments, select, speak } from "./element.js";
import { gameKeys } from "./keys.js";
import { ARROWS } from "./moves.js";
import { write } from "./notation.js";
import { resist } from "./opponent.js";
import { Playback } from "./playback.js";
import { MOVES, legal } from "./rules.js";

const CONTESTS = [
  ["2x3 16 2", "2x3 to 16, 2s only: Slider can force it"],
  ["3x3 32 2,4", "3x3 to 32, 2s and 4s: Slider can force it"],
  ["3x3 512 2", "3x3 to 512, 2s only: Slider can force it"],
  ["2x2 16 2,4", "2x2 to 16, 2s and 4s: Dropper can prevent it"],
  ["3x3 64 2,4", "3x3 to 64, 2s and 4s: Dropper can prevent it"],
  ["2x2 32 2", "2x2 to 32, 2s only: out of reach"],
];
const other = (side) => (side === "slider" ? "dropper" : "slider");

/** The area in an element. */
export function mount(root) {
  return new Prove(root);
}

class Prove {
  constructor(root) {
    this.choice = select([...CONTESTS, ["own", "Another contest…"]], CONTESTS[0][0], () => this.chosen());
    this.shape = make("input", { type: "text", value: "2x3", size: 5, autocomplete: "off" });
    this.to = select(Array.from({ length: 10 }, (_, i) => [String(2 ** (i + 3)), String(2 ** (i + 3))]), "16");
    this.drops = select([["2", "2s only"], ["4", "4s only"], ["2,4", "2s and 4s"]], "2");
    this.own = make("form", { class: "row-of", hidden: true, onsubmit: (event) => { event.preventDefault(); this.begin({ step: true }); } },
      field("Board size", this.shape), field("Target tile", this.to), field("New tiles", this.drops), make("button", { text: "Begin" }));
    this.you = segments("You play", [["dropper", "Dropper"], ["slider", "Slider"], ["nobody", "Watch both"]], "dropper", () => this.go());
    this.tile = segments("Tile to drop", [["2", "2"], ["4", "4"]], "2");
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    this.view = new BoardView("Board of the contest", { drop: (cell) => this.play({ cell, tile: Number(this.tile.value) }), swipe: (move) => this.play({ move }) });
    this.slides = make("div", { class: "row-of buttons" }, MOVES.map((move) => make("button", { type: "button", "data-move": move, onclick: () => this.play({ move }) },
      make("span", { text: `${ARROWS[move]} `, "aria-hidden": true }), move)));
    this.says = make("p", { class: "says", role: "status" });
    this.proof = make("p");
    this.log = make("ol", { class: "line from-one contest-line" });
    this.analyse = make("a", { text: "Analyse this position" });
    this.back = make("button", { type: "button", text: "↶ Undo", title: "Back to your last choice", onclick: () => this.undo() });
    this.again = make("button", { type: "button", text: "Restart", onclick: () => this.restart() });
    this.playback = new Playback((at) => this.look(at), { more: () => this.more(), label: "Move" });
    root.append(make("h1", { text: "Prove" }),
      make("p", { class: "note", text: "Dropper puts a tile into any empty cell, then Slider slides, and so on from the empty board. Slider wants the target tile, Dropper a board on which no slide is possible. "
        + "One of them can always force a win: that side plays by a proof. The other resists as long as a few moves of foresight allow." }),
      make("div", { class: "bench" },
        make("div", { class: "left" }, make("div", { class: "top-left" }, field("Contest", this.choice), this.own, this.wrong, this.view.element, this.tile.element, this.slides),
          make("div", { class: "tools" }, make("div", { class: "row-of buttons" }, this.back, this.again), this.playback.element)),
        make("div", { class: "middle" },
          make("section", { class: "panel", "aria-labelledby": "contest-says" }, make("h2", { id: "contest-says", text: "The contest" }), this.you.element, this.says, this.proof, this.analyse),
          make("section", { class: "panel", "aria-labelledby": "contest-log" }, make("h2", { id: "contest-log", text: "Move list" }), this.log))));
    const prove = this;
    gameKeys({
      active: () => prove.active && prove.contest,
      // Whoever drops chooses cells by arrow keys.
      get move() {
        return prove.you.value === "slider" ? (move) => prove.play({ move }) : null;
      },
      undo: () => prove.undo(), redo: () => prove.playback.step(), toggle: () => prove.playback.toggle.click(),
    });
  }

  show(asked) {
    this.active = true;
    this.complain("");
    if ([...asked.keys()].length > 0) this.read(asked);
    else if (!this.contest) this.begin({});
    else this.keep();
  }

  hide() {
    this.active = false;
    this.playback.pause();
  }

  /** What a link asks for. */
  read(asked) {
    const link = new Link(asked, ["shape", "to", "drops", "you", "line", "at", "show"]);
    const wanted = {
      shape: link.shape("shape", "2x3"),
      to: link.target("to", "16"),
      drops: link.choice("drops", ["2", "4", "2,4"], "2"),
    };
    const you = link.choice("you", ["dropper", "slider", "nobody"], null);
    const at = link.number("at", null);
    this.set(wanted);
    this.complain(link.complaint);
    this.begin({ wanted, you, line: asked.get("line") ?? "", at });
  }

  /** Shows a contest as chosen. */
  set({ shape, to, drops }) {
    const known = `${shape} ${to} ${drops}`;
    const listed = CONTESTS.some(([value]) => value === known);
    this.choice.value = listed ? known : "own";
    this.own.hidden = listed;
    this.shape.value = shape;
    if (![...this.to.options].some((option) => option.value === to)) this.to.append(make("option", { value: to, text: to }));
    this.to.value = to;
    this.drops.value = drops;
  }

  chosen() {
    const own = this.choice.value === "own";
    this.own.hidden = !own;
    if (own) {
      this.shape.focus();
      return;
    }
    const [shape, to, drops] = this.choice.value.split(" ");
    this.set({ shape, to, drops });
    this.begin({ step: true });
  }

  /** Asks who wins, and begins, with a line if a link has one. You play the side that cannot force its win. */
  async begin({ wanted = { shape: this.shape.value.trim(), to: this.to.value, drops: this.drops.value }, you = null, line = "", at = null, step = false }) {
    const mine = (this.game = {});
    if (step) this.complain("");
    this.playback.pause();
    this.playback.toggle.disabled = this.playback.forth.disabled = true;
    this.says.textContent = "Finding out who wins…";
    try {
      const contest = new Contest(wanted);
      const { winner, positions } = await ask("strategy", wanted);
      if (mine !== this.game) return;
      let wrong = null;
      try {
        contest.follow(line);
      } catch (error) {
        wrong = `This link is not right: ${error.message}.`;
      }
      contest.at = Math.min(at ?? contest.plies.length, contest.plies.length);
      Object.assign(this, { contest, wanted, winner });
      this.you.value = you ?? other(winner);
      this.proof.textContent = proofText(winner, wanted.to, positions);
      if (wrong) this.complain(wrong);
      if (step && this.active) keep("prove", this.asked, { step });
      this.list();
      this.playback.toggle.disabled = false;
      this.go();
    } catch (error) {
      if (mine !== this.game) return;
      this.says.textContent = "";
      this.complain(error.message);
      this.playback.toggle.disabled = !this.contest;
      if (!this.contest) return;
      this.playback.refresh();
      this.render();
    }
  }

  restart() {
    if (!this.contest) return;
    this.contest = new Contest(this.wanted);
    this.list();
    this.go();
  }

  /** Shows where it is, and lets the other side play if it is its turn at the end of the line. */
  async go() {
    const { contest } = this;
    if (!contest) return;
    this.playback.load(contest.boards.length, contest.at);
    if (this.you.value === "nobody" || contest.turn === this.you.value || contest.at < contest.plies.length) return;
    await this.more();
  }

  /** Plays one ply for whoever's turn it is; whether there was one. */
  async more() {
    const { contest, wanted } = this;
    if (!contest || contest.winner) return false;
    const mine = (this.thinking = {});
    const place = contest.at;
    this.render();
    try {
      let ply = null;
      if (contest.turn === this.winner) {
        const { move, cell, tile } = await ask("strategy", { ...wanted, board: write(contest.board) });
        if (move) ply = { move };
        else if (cell !== null) ply = { cell, tile };
        // The user went elsewhere meanwhile.
        if (mine !== this.thinking || contest !== this.contest || contest.at !== place) return false;
      }
      // Where anything will do, and for the side without a proof.
      ply ??= resist(contest.board, contest.turn, contest.target, contest.tiles);
      if (!ply) return false;
      this.thinking = null;
      this.add(ply);
      return true;
    } catch (error) {
      if (mine === this.thinking) this.complain(error.message);
      return false;
    }
  }

  /** Your ply, if it is your turn. */
  play(ply) {
    const { contest } = this;
    if (!contest || contest.winner || contest.turn !== this.you.value || (ply.move === undefined) !== (contest.turn === "dropper")) return;
    if (!contest.can(ply)) {
      speak(`${ply.move ?? "That"} is not possible`);
      return;
    }
    this.playback.pause();
    // Whoever drops by keys drops the next tile by keys too.
    const keyed = this.view.element.contains(document.activeElement);
    this.add(ply);
    this.more().then(() => keyed && document.activeElement === document.body && this.view.mode === "drop" && this.view.focus());
  }

  add(ply) {
    const { contest, playback } = this;
    const who = contest.turn;
    contest.add(ply);
    this.list();
    speak(`${NAMES[who]}: ${plyText(ply, contest)}`);
    playback.last = contest.plies.length;
    playback.go(contest.at);
  }

  look(at) {
    if (!this.contest) return;
    if (at !== this.contest.at) this.thinking = null;
    this.contest.at = at;
    this.render();
    this.keep();
  }

  undo() {
    const { contest } = this;
    const sides = this.you.value === "nobody" ? ["slider", "dropper"] : [this.you.value];
    let at = contest.at - 1;
    while (at >= 0 && !sides.includes(Contest.turnAt(at))) at -= 1;
    if (at >= 0) {
      this.playback.pause();
      this.playback.go(at);
    }
  }

  get asked() {
    const { contest, wanted } = this;
    return { ...wanted, you: this.you.value, line: contest.text, at: contest.at < contest.plies.length ? contest.at : "" };
  }

  keep() {
    if (this.contest) keepSoon("prove", this.asked);
  }

  /** The line as a list; only what is new is made. */
  list() {
    const { contest, log } = this;
    if (this.listed !== contest) log.replaceChildren();
    this.listed = contest;
    while (log.children.length > contest.plies.length) log.lastElementChild.remove();
    contest.plies.forEach((ply, i) => {
      const text = `${NAMES[Contest.turnAt(i)]}: ${plyText(ply, contest)}`;
      if (log.children[i]?.textContent === text) return;
      const item = make("li", {}, make("button", { type: "button", class: "ply", text, onclick: () => this.jump(i + 1) }));
      if (log.children[i]) log.children[i].replaceWith(item);
      else log.append(item);
    });
  }

  jump(at) {
    this.playback.pause();
    this.playback.go(at);
  }

  render() {
    const { contest, winner } = this;
    const over = contest.winner;
    const mine = !over && contest.turn === this.you.value;
    const dropping = mine && contest.turn === "dropper";
    this.view.show(contest.board, { mode: dropping ? "drop" : "view", ...contest.seen });
    this.tile.element.hidden = this.you.value !== "dropper" || contest.tiles.length < 2;
    if (contest.tiles.length < 2) this.tile.value = String(contest.tiles[0]);
    this.slides.hidden = this.you.value !== "slider";
    const can = mine && contest.turn === "slider" ? legal(contest.board) : [];
    for (const button of this.slides.children) button.disabled = !can.includes(button.dataset.move);
    this.back.disabled = contest.at === 0;
    this.says.textContent = saysText(contest, this.you.value, this.wanted.to, this.thinking ? winner : null, this.playback.timer);
    this.says.dataset.end = over ?? "";
    const here = contest.at - 1;
    [...this.log.children].forEach((item, i) => {
      if (i === here) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    const current = this.log.children[here];
    if (current) this.log.scrollTop = current.offsetTop - this.log.offsetTop - this.log.clientHeight / 2;
    else this.log.scrollTop = 0;
    this.analyse.href = addressOf("analyse", { variant: `${this.wanted.shape}-to-${this.wanted.to}`, start: write(contest.board) });
    this.analyse.hidden = contest.turn !== "slider" || over !== null;
  }

  complain(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = text === "";
  }
}
