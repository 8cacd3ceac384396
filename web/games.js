// Games from files and into them: recordings with one game or many, and texts.
import { make } from "./element.js";
import { download, onDroppedFile, pickFile } from "./files.js";
import { words } from "./notation.js";
import { whole } from "./numbers.js";
import { readLine } from "./paste.js";
import { isRecording, openRecording, writeRecording } from "./recording.js";

/** Games that are listed at a time. */
const SHOWN = 100;

export class GameFiles {
  /** `onopen(line, note)` gets a game, `current()` the line in hand, `active()` whether files may be dropped now. */
  constructor({ onopen, ontrouble, current, active }) {
    Object.assign(this, { onopen, ontrouble, current });
    const button = (text, title, onclick) => make("button", { type: "button", text, title, onclick });
    this.save = button("Save game", "Save this game as a file (.tb)", () => this.write());
    this.buttons = [button("Open a file …", "Open a recorded game (.tb), or a text with boards or moves", () => this.choose()), this.save];
    this.element = make("div", { class: "game-files", hidden: true });
    onDroppedFile(active, (file) => this.take(file));
  }

  async choose() {
    const file = await pickFile(".tb,.txt,.json,.csv,.md,.html,text/*");
    if (file) await this.take(file);
  }

  async take(file) {
    this.element.hidden = true;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isRecording(bytes)) this.offer(file.name, openRecording(bytes));
      else this.text(new TextDecoder().decode(bytes));
    } catch (error) {
      this.ontrouble(new Error(`${file.name}: ${error.message}`));
    }
  }

  text(text) {
    const { line, note } = readLine(text, this.current()?.variant);
    this.onopen(line, note);
  }

  /** Opens the only game, or lists all of them. */
  offer(name, recording) {
    const { games, variant, player, damage } = recording;
    if (games.length === 0) throw new Error(damage ?? "there is no game in the file");
    if (games.length === 1 && !damage) {
      this.onopen(games[0].line());
      return;
    }
    const list = make("ol", { class: "game-list" });
    const more = make("button", { type: "button", text: "Show more", onclick: () => add() });
    const add = () => {
      const from = list.children.length;
      list.append(...games.slice(from, from + SHOWN).map((game) => this.item(game)));
      more.hidden = list.children.length === games.length;
    };
    add();
    this.element.replaceChildren(make("p", {}, make("strong", { text: name }), `: ${whole(games.length)} games of ${words(variant.id)} by ${player}. Choose one.`),
      damage ? make("p", { class: "trouble", text: damage }) : "", make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Games of the file" }, list), more,
      make("button", { type: "button", text: "Close", onclick: () => { this.element.hidden = true; } }));
    this.element.hidden = false;
    this.element.scrollIntoView?.({ block: "nearest" });
    list.querySelector("button")?.focus({ preventScroll: true });
  }

  item(game) {
    return make("li", {}, make("button", { type: "button", onclick: () => {
      try {
        const line = game.line();
        this.element.hidden = true;
        this.onopen(line);
      } catch (error) {
        this.ontrouble(error);
      }
    } }, `Game ${game.number}: ${whole(game.score)} points, ${whole(game.moves)} moves, ${game.ending}`));
  }

  write() {
    const line = this.current();
    const largest = 2 ** Math.max(...line.stateAt(Math.floor(line.last / 2)).board.cells);
    download(`2048-${line.variant.name}-${largest}.tb`, writeRecording(line));
  }

  show(line) {
    this.save.disabled = line.length === 0;
  }
}
