// The areas of the page, and the address that says which one is shown and what it shows.
import { isLocal } from "./backend.js";
import { answers, connection, lost } from "./connection.js";
import { make } from "./element.js";
import { LABS } from "./lab.js";
import { themeSwitch } from "./theme.js";

const AREAS = {
  analyse: () => import("./analyse.js"),
  practise: () => import("./drills.js"),
  lab: () => import("./lab.js"),
  count: () => import("./count.js"),
  prove: () => import("./prove.js"),
  plan: () => import("./plan.js"),
  diagrams: () => import("./diagram.js"),
  about: () => import("./about.js"),
};

/** Names of old links, and the areas that show them now. */
const ALIASES = { "": "analyse", explore: "analyse", watch: "analyse" };

const main = document.querySelector("#main");
const labs = document.querySelector("#labs");
const shown = new Map();
let current = null;
let turn = 0;

/** The area and what it is to show, from `#area?name=value`. */
function place() {
  const [written, rest = ""] = location.hash.slice(1).split("?");
  const asked = new URLSearchParams(rest);
  const name = written === "prove" && asked.get("show") === "plan" ? "plan" : ALIASES[written] ?? written;
  return { name, written, asked };
}

/** Marks the area in the navigation: a part of the Lab marks the Lab too. */
function mark(name) {
  const inside = LABS.some((lab) => lab.name === name);
  for (const link of document.querySelectorAll("[data-area]")) {
    const here = link.dataset.area === name;
    if (here) link.setAttribute("aria-current", "page");
    else if (inside && link.dataset.area === "lab") link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  labs.hidden = !inside;
}

/** An address that names nothing. */
function astray(written) {
  let name = written;
  try {
    name = decodeURIComponent(written);
  } catch {
    // It is shown as it is.
  }
  const links = [["analyse", "Analyse"], ["practise", "Practise"], ["lab", "Lab"], ...LABS.map((lab) => [lab.name, lab.title]), ["about", "About"]];
  leave(null);
  document.title = "Not found · tilebase";
  main.replaceChildren(make("div", { class: "area astray" }, make("h1", { text: "Nothing here" }),
    make("p", { class: "trouble", role: "alert", text: `This page has no area called “${name.slice(0, 60)}”. These are there:` }),
    make("ul", { class: "plain" }, links.map(([area, text]) => make("li", {}, make("a", { href: `#${area}`, text }))))));
}

function leave(area) {
  if (current && current !== area) current.hide?.();
  current = area;
}

/** An area whose files do not come. Browsers remember that, so the page is loaded again when the server is back. */
async function failed(error) {
  if (isLocal || await answers()) {
    main.replaceChildren(make("p", { class: "trouble", role: "alert", text: `This area cannot be shown: ${error.message}` }));
  } else {
    await lost();
    location.reload();
  }
}

async function route() {
  if (location.hash === "#main") return;
  const { name, written, asked } = place();
  const mine = ++turn;
  mark(name);
  if (!Object.hasOwn(AREAS, name)) {
    astray(written);
    return;
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
    failed(error);
    return;
  }
  if (mine !== turn) return;
  const { root, area } = shown.get(name);
  const changed = current !== area;
  leave(area);
  if (root.parentNode !== main) main.replaceChildren(root);
  document.title = `${root.querySelector("h1")?.textContent ?? "2048"} · tilebase`;
  area.show(asked, changed, written);
}

// The address belongs to the areas: skipping to the content must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
// A static site has no server to describe.
if (isLocal) for (const link of document.querySelectorAll("[data-served]")) link.remove();
if (isLocal) import("./loading.js").then(({ mount }) => mount(document.body));
const away = document.querySelector("#away");
connection.addEventListener("lost", () => { away.textContent = "The server does not answer. Trying again…"; });
connection.addEventListener("found", () => {
  away.textContent = "The server is back.";
  setTimeout(() => { if (away.textContent.endsWith("back.")) away.textContent = ""; }, 3000);
});
labs.append(...LABS.map(({ name, title, about }) => make("a", { href: `#${name}`, "data-area": name, title: about, text: title })));
document.querySelector("#theme").append(themeSwitch());
window.addEventListener("hashchange", route);
route();
