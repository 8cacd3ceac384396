// About: what this is, and where its numbers come from.
import { ask, isLocal } from "./backend.js";
import { make } from "./element.js";

const p = (...children) => make("p", {}, ...children);
const link = (href, text) => make("a", { href, text });

/** The area in an element. */
export function mount(root) {
  const version = make("span");
  const panel = (title, ...children) => make("section", { class: "panel" }, make("h2", { text: title }), ...children);
  root.append(make("h1", { text: "About" }),
    make("div", { class: "cards wide" },
      panel("What this is",
        p("tilebase analyses the game 2048: paste any board or a whole game and see what each move is worth, where you went wrong, and how likely the next big tiles are."),
        p("Smaller games, such as 3x3 to 512, are solved completely: their values are exact. The ", link("#lab", "Lab"), " counts, proves, plans and draws them."),
        p("So are endgames with the large tiles as walls, which you can ", link("#practise", "practise"), ".")),
      panel("Exact or estimated",
        p(make("strong", { text: "Exact" }), " and ", make("strong", { text: "table" }), ": every position of the game was worked out to its end. The value is what best play gives, with no error but rounding."),
        p(make("strong", { text: "Estimate" }), ": the game is too large to be solved, 4x4 to 2048 for example. A search looks a few moves ahead and a trained network judges what it finds. "
          + "The chances come from recorded games; each has its uncertainty, and moves that differ by less than that are called about equal.")),
      panel("Where the numbers come from",
        p(isLocal
          ? "Everything is worked out in your browser. Tables and the network come with this site; nothing you enter leaves your machine."
          : "Everything is worked out by the tilebase server that this page comes from; no other host is asked. Games and settings stay in your browser."),
        p("Small games are solved when you ask for them, larger ones come from tables that were solved before.")),
      panel("More",
        p(version),
        isLocal ? p("The program itself also has a server with a documented interface and a command line.")
          : make("ul", { class: "plain" }, make("li", {}, link("docs", "Docs"), ": every question that can be asked, with examples in curl and Python"),
            make("li", {}, link("api/v1", "API"), ": the list of addresses"),
            make("li", {}, link("openapi.json", "OpenAPI description"), " for other programs")))));
  return {
    show() {
      ask("variants").then((answer) => { version.textContent = `tilebase ${answer.version}`; }).catch(() => {});
    },
  };
}
