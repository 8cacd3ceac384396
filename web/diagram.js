// Diagrams of small games, to be zoomed and moved by pointer and keys.
import { ask } from "./backend.js";
import { field, make, select, speak } from "./element.js";

const GAMES = [["2x2-to-8", "2x2 to 8"], ["2x2-to-16", "2x2 to 16"], ["2x2-to-32", "2x2 to 32"], ["1x4-to-8", "1x4 to 8"]];

/** The area in an element. */
export function mount(root) {
  return new Diagram(root);
}

class Diagram {
  constructor(root) {
    this.game = select(GAMES, "2x2-to-8", () => this.load());
    this.policy = make("input", { type: "checkbox", onchange: () => this.load() });
    this.policy.checked = true;
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    const button = (text, label, onclick) => make("button", { type: "button", text, "aria-label": label, title: label, onclick });
    // A shadow tree keeps the drawing's own style to itself.
    this.paper = make("div", {
      class: "paper", tabindex: 0, role: "application", "aria-roledescription": "diagram", "data-keys": true,
      "aria-label": "Diagram: arrow keys move it, plus and minus zoom, 0 shows all of it",
      onkeydown: (event) => this.key(event), onpointerdown: (event) => this.press(event), ondblclick: (event) => this.zoom(1.6, event),
    });
    this.shadow = this.paper.attachShadow({ mode: "open" });
    this.paper.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), event);
    }, { passive: false });
    this.size = make("p", { class: "note", role: "status" });
    root.append(make("h1", { text: "Diagrams" }),
      make("p", { class: "note", text: "A board is a position with the player to move, a pill an action; lines go to what can fall then, thicker the likelier. Play goes from left to right, a column for each tile sum." }),
      make("div", { class: "row-of" }, field("Game", this.game), make("label", { class: "check" }, this.policy, "Best moves alone, with values"),
        make("div", { class: "row-of buttons" }, button("+", "Zoom in", () => this.zoom(1.4)), button("−", "Zoom out", () => this.zoom(1 / 1.4)), button("Show all", "Show all of it", () => this.all()))),
      this.wrong, this.paper, this.size);
  }

  show(asked) {
    if (asked.has("variant")) {
      this.game.value = asked.get("variant");
      this.policy.checked = asked.get("policy") !== "false";
    }
    if (!this.svg || asked.has("variant")) this.load();
  }

  async load() {
    const mine = (this.asking = {});
    this.wrong.hidden = true;
    try {
      const variant = this.game.value;
      const text = await ask("diagram", { variant, policy: this.policy.checked });
      if (mine !== this.asking) return;
      history.replaceState(null, "", `#diagrams?variant=${variant}&policy=${this.policy.checked}`);
      this.draw(text);
    } catch (error) {
      if (mine !== this.asking) return;
      this.wrong.textContent = error.message;
      this.wrong.hidden = false;
    }
  }

  draw(text) {
    // Styles of documents are not allowed here; those of scripts are.
    const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? "";
    const read = new DOMParser().parseFromString(text.replace(/<style>[^]*?<\/style>/, ""), "image/svg+xml");
    const svg = document.importNode(read.documentElement, true);
    this.full = svg.getAttribute("viewBox").split(" ").map(Number);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "img");
    const title = svg.querySelector("text")?.textContent ?? "a game";
    svg.setAttribute("aria-label", `Diagram of ${title}`);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${style} svg { display: block; inline-size: 100%; block-size: 100%; }`);
    this.shadow.adoptedStyleSheets = [sheet];
    this.shadow.replaceChildren(svg);
    this.svg = svg;
    this.all();
    speak(title);
  }

  all() {
    this.set(...this.full);
  }

  set(x, y, w, h) {
    this.box = [x, y, w, h];
    this.svg.setAttribute("viewBox", this.box.map((n) => n.toFixed(2)).join(" "));
    this.size.textContent = `${Math.round((100 * this.full[2]) / w)} % of the whole width`;
  }

  /** Units of the drawing for each pixel. */
  get unit() {
    const { width, height } = this.paper.getBoundingClientRect();
    return Math.max(this.box[2] / width, this.box[3] / height);
  }

  /** Zooms about the pointer, or the middle. */
  zoom(by, event = null) {
    if (!this.svg) return;
    const [x, y, w, h] = this.box;
    const to = Math.min(Math.max(w / by, this.full[2] / 40), this.full[2] * 1.5);
    const scale = to / w;
    let [px, py] = [x + w / 2, y + h / 2];
    if (event) {
      const rect = this.paper.getBoundingClientRect();
      px += (event.clientX - rect.left - rect.width / 2) * this.unit;
      py += (event.clientY - rect.top - rect.height / 2) * this.unit;
    }
    this.set(px - (px - x) * scale, py - (py - y) * scale, w * scale, h * scale);
  }

  pan(dx, dy) {
    const [x, y, w, h] = this.box;
    this.set(x + dx, y + dy, w, h);
  }

  key(event) {
    if (!this.svg || event.ctrlKey || event.metaKey || event.altKey) return;
    const [, , w, h] = this.box;
    const step = { ArrowLeft: [-w / 10, 0], ArrowRight: [w / 10, 0], ArrowUp: [0, -h / 10], ArrowDown: [0, h / 10] }[event.key];
    if (step) this.pan(...step);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0" || event.key === "Home") this.all();
    else return;
    event.preventDefault();
  }

  /** Moves with one pointer, and zooms with two. */
  press(event) {
    if (!this.svg || event.button > 0) return;
    this.pointers ??= new Map();
    this.pointers.set(event.pointerId, event);
    this.paper.setPointerCapture(event.pointerId);
    if (this.pointers.size > 1) return;
    const move = (e) => {
      const last = this.pointers.get(e.pointerId);
      if (!last) return;
      const others = [...this.pointers.values()].filter((p) => p.pointerId !== e.pointerId);
      if (others.length === 0) this.pan((last.clientX - e.clientX) * this.unit, (last.clientY - e.clientY) * this.unit);
      else {
        const apart = (p) => Math.hypot(p.clientX - others[0].clientX, p.clientY - others[0].clientY);
        if (apart(last) > 0) this.zoom(apart(e) / apart(last), { clientX: (e.clientX + others[0].clientX) / 2, clientY: (e.clientY + others[0].clientY) / 2 });
      }
      this.pointers.set(e.pointerId, e);
    };
    const up = (e) => {
      this.pointers.delete(e.pointerId);
      if (this.pointers.size > 0) return;
      for (const name of ["pointerup", "pointercancel"]) this.paper.removeEventListener(name, up);
      this.paper.removeEventListener("pointermove", move);
    };
    this.paper.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) this.paper.addEventListener(name, up);
  }
}
