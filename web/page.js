// The areas of the page, and the address that says which one is shown and what it shows.
import { make } from "./element.js";
import { themeSwitch } from "./theme.js";

const AREAS = {
  explore: () => import("./explore.js"),
  watch: () => import("./watch.js"),
  count: () => import("./count.js"),
  prove: () => import("./prove.js"),
  diagrams: () => import("./diagram.js"),
};

const main = document.querySelector("#main");
const shown = new Map();
let current = null;
let turn = 0;

/** The area and what it is to show, from `#area?name=value`. */
function place() {
  const [name, rest = ""] = location.hash.slice(1).split("?");
  return { name: name in AREAS ? name : "explore", asked: new URLSearchParams(rest) };
}

async function route() {
  if (location.hash === "#main") return;
  const { name, asked } = place();
  const mine = ++turn;
  for (const link of document.querySelectorAll("[data-area]")) {
    if (link.dataset.area === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    if (!shown.has(name)) {
      const { mount } = await AREAS[name]();
      if (!shown.has(name)) {
        const root = make("div", { class: `area ${name}` });
        shown.set(name, { root, area: mount(root) });
      }
    }
  } catch (error) {
    main.replaceChildren(make("p", { class: "trouble", role: "alert", text: `This area cannot be shown: ${error.message}` }));
    return;
  }
  if (mine !== turn) return;
  const { root, area } = shown.get(name);
  if (current && current !== area) current.hide?.();
  if (root.parentNode !== main) main.replaceChildren(root);
  const changed = current !== area;
  current = area;
  document.title = `${root.querySelector("h1")?.textContent ?? "tilebase"} · tilebase`;
  area.show(asked, changed);
}

// The address belongs to the areas: skipping to the content must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.querySelector("#theme").append(themeSwitch());
window.addEventListener("hashchange", route);
route();
