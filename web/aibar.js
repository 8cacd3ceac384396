// Who plays: you, or the AI with its buttons, its speed and what it does.
import { Autoplay, SPEEDS } from "./autoplay.js";
import { choice, field, make, select } from "./element.js";
import { tile } from "./notation.js";
import { whole } from "./numbers.js";
import { legal } from "./rules.js";

/** Controls; `game`, `onstep` and `onstop` are those of the autoplay, `onstart` hears when it begins and `onchange` of
 * another player. */
export class AiBar {
  constructor({ game, onstart, onstep, onstop, onchange }) {
    this.autoplay = new Autoplay({ game, onstep, onstop: (error) => this.stopped(error) });
    Object.assign(this, { onstart, onstop, onchange });
    const button = (text, title, onclick) => make("button", { type: "button", text, title, onclick });
    this.choice = choice("Who plays", [["ai", "Watch the AI"], ["you", "Play yourself"]], "you", () => this.turnTo(this.who));
    this.speed = select(SPEEDS, "4", () => { this.autoplay.speed = Number(this.speed.value); });
    this.button = button("▶ Play", "Play or pause (Space)", () => this.toggle());
    this.button.classList.add("main");
    this.element = make("div", { class: "row-of buttons", hidden: true }, this.button,
      button("One move", "The AI makes one move", () => this.autoplay.step()),
      button("To the end", "The AI plays to the end of the game", () => this.start(Infinity)), field("Speed", this.speed));
    this.status = make("p", { class: "note ai-status", role: "status" });
  }

  get who() {
    return this.choice.value;
  }

  /** Whether moves go by too fast to read their values. */
  get hurries() {
    return this.autoplay.playing && this.autoplay.hurries;
  }

  turnTo(who) {
    this.choice.value = who;
    this.element.hidden = who !== "ai";
    if (who === "you") this.pause();
    this.onchange();
  }

  toggle() {
    if (this.autoplay.playing) this.pause();
    else this.start(Number(this.speed.value));
  }

  start(rate) {
    if (this.who !== "ai") this.turnTo("ai");
    this.pause();
    this.button.textContent = "❚❚ Pause";
    this.onstart();
    this.autoplay.play(rate);
  }

  pause() {
    this.autoplay.pause();
  }

  stopped(error) {
    this.button.textContent = "▶ Play";
    this.autoplay.speed = Number(this.speed.value);
    this.onstop(error);
  }

  /** Says what the AI does in a game. */
  show({ node, board, waits, won, variant }) {
    this.status.textContent = this.who !== "ai" ? ""
      : this.autoplay.playing ? `The AI plays: move ${whole(node.ply)}.`
        : legal(board).length === 0 && !waits ? `Game over after ${whole(node.ply)} moves.`
          : won ? `${tile(variant.target)} is reached.` : "Idle.";
  }
}
