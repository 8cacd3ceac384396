// The box for whatever people have; pasting anywhere else on the page is the same.
import { field, make } from "./element.js";

export class PasteBox {
  /** `onread` gets the text and returns whether it could be read; `active` says whether the box is listened to. */
  constructor({ onread, active }) {
    Object.assign(this, { onread, active });
    this.text = make("textarea", {
      rows: 1, spellcheck: "false", autocomplete: "off", class: "mono", placeholder: "2,4,8,16/… or 0x…, moves, a link",
      onkeydown: (event) => this.typed(event),
    });
    const submit = (event) => {
      event.preventDefault();
      this.read(this.text.value);
    };
    this.element = make("form", { class: "inline paste", onsubmit: submit }, field("Paste a board or a game", this.text), make("button", { text: "Open" }));
    document.addEventListener("paste", (event) => this.pasted(event));
  }

  /** Enter opens what was typed; a line break needs shift. */
  typed(event) {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.read(this.text.value);
  }

  pasted(event) {
    const inside = event.target === this.text;
    if (!this.active() || (!inside && event.target.closest?.("input, textarea"))) return;
    const text = event.clipboardData?.getData("text");
    if (!text) return;
    event.preventDefault();
    if (inside) this.text.value = text;
    this.read(text);
  }

  read(text) {
    if (!this.onread(text)) return;
    this.text.value = "";
    this.text.blur();
  }
}
