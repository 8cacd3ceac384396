// Diagrams of small games: every board is a link to its analysis.
import { addressOf, keep, Link } from "./address.js";
import { ask } from "./backend.js";
import { download } from "./download.js";
import { draw, field, make, select, speak } from "./element.js";
import { parseBoard, parseVariant, words, write } from "./notation.js";
import { Paper } from "./paper.js";

const GAMES = ["2x2-to-8", "2x2-to-16", "2x2-to-32", "1x4-to-8"];

/** The colours of drawings, which are made for white paper, on dark paper. Tiles stay as they are. */
const DARK = `
  svg > rect[fill="#fff"] { fill: light-dark(#fff, #181c21); }
  svg > rect[fill="#f5f6f8"] { fill: light-dark(#f5f6f8, #20262d); }
  text[fill="#3b342c"]:not(.tile) { fill: light-dark(#3b342c, #e7eaee); }
  .chance { fill: light-dark(#3b342c, #e7eaee) !important; stroke: light-dark(#fff, #181c21) !important; }
  .edge { stroke: light-dark(#5b6472, #97a1ae); }
  .edge.win { stroke: light-dark(#2e9e4f, #4fbf70); } .edge.lose { stroke: light-dark(#d23f31, #f0776a); }
  .edge:hover { stroke: light-dark(#000, #fff); }
  g:not(.state) > rect[rx="7.5"] { fill: light-dark(#fff, #2b3641); }
  a { cursor: pointer; } a:focus { outline: none; }
  a:is(:hover, :focus-visible) > rect:first-of-type { stroke: light-dark(#0b5a9e, #f5cf6b); stroke-width: 5; }
`;

/** The area in an element. */
export function mount(root) {
  return new Diagram(root);
}

class Diagram {
  constructor(root) {
    this.game = select(GAMES.map((id) => [id, words(id)]), GAMES[0], () => this.load(true));
    this.policy = make("input", { type: "checkbox", onchange: () => this.load(true) });
    this.policy.checked = true;
    this.wrong = make("p", { class: "trouble", role: "alert", hidden: true });
    const button = (text, label, onclick) => make("button", { type: "button", text, "aria-label": label, title: label, onclick });
    this.paper = new Paper("Diagram: arrow keys move it, plus and minus zoom, 0 shows all of it. Enter goes to the boards, which are links; arrow keys go from one to the next, Escape comes back.",
      (share) => { this.size.textContent = `Zoom ${Math.round(100 * share)} %`; });
    this.size = make("p", { class: "note", role: "status" });
    this.saves = [
      button("SVG", "Save the diagram as an SVG file", () => download(`${this.name}.svg`, "image/svg+xml", this.text)),
      button("DOT", "Save the diagram as a DOT file, for Graphviz", () => this.dot().catch((error) => this.complain(error.message))),
      button("PNG", "Save the diagram as a PNG file", () => this.png().catch((error) => this.complain(error.message))),
    ];
    root.append(make("h1", { text: "Diagrams" }),
      make("p", { class: "note", text: "Each board is a position with you to move, each pill a move; lines lead to what the next tile can make of it, thicker the likelier. Play goes from left to right, "
        + "a column for each tile sum. Click a board to analyse it." }),
      make("div", { class: "row-of" }, field("Game", this.game), make("label", { class: "check" }, this.policy, "Best moves only, with values"),
        make("div", { class: "row-of buttons" }, button("+", "Zoom in", () => this.paper.zoom(1.4)), button("−", "Zoom out", () => this.paper.zoom(1 / 1.4)), button("Show all", "Show all of it", () => this.paper.all())),
        make("div", { class: "row-of buttons saves" }, make("span", { class: "note", text: "Download" }), this.saves)),
      this.wrong, this.paper.element, this.size);
  }

  show(asked) {
    this.complain("");
    if ([...asked.keys()].length > 0) this.read(asked);
    else {
      this.keep(false);
      if (!this.text) this.load(false);
    }
  }

  /** What a link asks for: any game that can be drawn. */
  read(asked) {
    const link = new Link(asked, ["variant", "policy"]);
    const variant = link.read("variant", GAMES[0], (text) => parseVariant(text) && text);
    if (![...this.game.options].some((option) => option.value === variant)) this.game.append(make("option", { value: variant, text: words(variant) }));
    this.game.value = variant;
    this.policy.checked = link.choice("policy", ["true", "false"], "true") === "true";
    this.complain(link.complaint);
    this.load(false);
  }

  keep(step) {
    keep("diagrams", { variant: this.game.value, policy: this.policy.checked }, { step });
  }

  get name() {
    return `${this.drawn}${this.policy.checked ? "-best" : ""}`;
  }

  async load(step) {
    const mine = (this.asking = {});
    if (step) {
      this.complain("");
      this.keep(true);
    }
    const variant = this.game.value;
    try {
      const text = await ask("diagram", { variant, policy: this.policy.checked });
      if (mine !== this.asking) return;
      this.drawn = variant;
      this.draw(text);
    } catch (error) {
      if (mine === this.asking) this.complain(error.message);
    }
  }

  draw(text) {
    this.text = text;
    // Styles of documents are not allowed here; those of scripts are.
    const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? "";
    const read = new DOMParser().parseFromString(text.replace(/<style>[^]*?<\/style>/, ""), "image/svg+xml");
    const svg = document.importNode(read.documentElement, true);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const title = svg.querySelector("text")?.textContent ?? "a game";
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Diagram of ${title}`);
    for (const state of svg.querySelectorAll("g.state")) this.link(state);
    this.paper.show(svg, style + DARK);
    speak(title);
  }

  /** Makes a board a link to its analysis. Its title is the board and the value. */
  link(state) {
    const title = state.querySelector("title")?.textContent ?? "";
    const [board, value] = title.split(": ");
    try {
      const { id, shape } = parseVariant(this.drawn);
      const href = addressOf("analyse", { variant: id, start: write(parseBoard(board, shape)) });
      state.querySelector("title").textContent = `Analyse ${board}${value ? `, value ${value}` : ""}`;
      state.replaceChildren(draw("a", { href, tabindex: -1 }, [...state.childNodes]));
    } catch {
      // A board that cannot be read stays a picture.
    }
  }

  /** The diagram as Graphviz reads it. */
  async dot() {
    const { name } = this;
    download(`${name}.dot`, "text/vnd.graphviz", await ask("diagram", { variant: this.drawn, policy: this.policy.checked, format: "dot" }));
  }

  /** The drawing as pixels, two for each unit. */
  async png() {
    const url = URL.createObjectURL(new Blob([this.text], { type: "image/svg+xml" }));
    try {
      const image = new Image();
      image.src = url;
      await image.decode();
      // Browsers have no canvas for the largest.
      const scale = Math.min(2, 8000 / Math.max(image.width, image.height));
      const canvas = make("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
      if (!blob) throw new Error("The browser cannot make a picture of this size: take the SVG.");
      download(`${this.name}.png`, "image/png", blob);
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  complain(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = text === "";
  }
}
