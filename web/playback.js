// Controls that play a list of positions: first, back, play or pause, forth, last, place, speed.
import { field, make } from "./element.js";

/** Controls; `onshow(at)` draws a place. `more`, if given, may bring another place at the end and
 * returns whether it did. */
export class Playback {
  constructor(onshow, { more = null, label = "Place" } = {}) {
    this.onshow = onshow;
    this.more = more;
    this.at = 0;
    this.last = 0;
    const button = (text, name, onclick) => make("button", { type: "button", text, "aria-label": name, title: name, onclick });
    this.first = button("«", "To the start", () => this.go(0));
    this.back = button("‹", "One step back", () => this.go(this.at - 1));
    this.toggle = button("▶ Play", "Play", () => (this.timer ? this.pause() : this.play()));
    this.toggle.classList.add("main");
    this.forth = button("›", "One step", () => this.step());
    this.end = button("»", "To the end", () => this.go(this.last));
    this.place = make("input", { type: "range", min: 0, max: 0, value: 0, oninput: () => this.go(Number(this.place.value)) });
    this.speed = make("input", { type: "range", min: 0, max: 100, value: 55, "aria-valuetext": "6 steps a second", oninput: () => this.pace() });
    this.element = make("div", { class: "playback" },
      make("div", { class: "row-of buttons" }, this.first, this.back, this.toggle, this.forth, this.end),
      make("div", { class: "ranges" }, field(label, this.place), field("Speed", this.speed)));
    this.pace();
  }

  /** Steps a second, from 1 to 30. */
  pace() {
    const rate = 30 ** (Number(this.speed.value) / 100);
    this.wait = 1000 / rate;
    this.speed.setAttribute("aria-valuetext", `${rate.toFixed(1)} steps a second`);
  }

  /** A list of this number of places, shown from one of them. */
  load(count, at = 0) {
    this.pause();
    this.last = count - 1;
    this.go(at);
  }

  /** One more place is there. */
  grow() {
    this.last += 1;
    this.refresh();
  }

  go(at) {
    this.at = Math.min(Math.max(at, 0), this.last);
    this.refresh();
    this.onshow(this.at);
  }

  refresh() {
    this.place.max = this.last;
    this.place.value = this.at;
    this.place.setAttribute("aria-valuetext", `${this.at} of ${this.last}`);
    this.first.disabled = this.back.disabled = this.at === 0;
    this.end.disabled = this.at === this.last;
    this.forth.disabled = this.at === this.last && !this.more;
  }

  /** One step; whether there was one. */
  async step() {
    if (this.at < this.last) {
      this.go(this.at + 1);
      return true;
    }
    if (!this.more || this.busy) return false;
    this.busy = true;
    try {
      return await this.more();
    } finally {
      this.busy = false;
    }
  }

  play() {
    if (this.at === this.last && !this.more) this.go(0);
    this.toggle.textContent = "❚❚ Pause";
    this.toggle.setAttribute("aria-label", "Pause");
    this.toggle.title = "Pause";
    const mine = (this.timer = {});
    const run = async () => {
      const began = performance.now();
      const went = await this.step();
      if (this.timer !== mine) return;
      if (!went) this.pause();
      else setTimeout(() => this.timer === mine && run(), Math.max(this.wait - (performance.now() - began), 0));
    };
    run();
  }

  pause() {
    this.timer = null;
    this.toggle.textContent = "▶ Play";
    this.toggle.setAttribute("aria-label", "Play");
    this.toggle.title = "Play";
  }
}
