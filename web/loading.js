// What a static site is still loading: a thin bar with a sentence at the foot of the page.
import { onloading } from "./backend.js";
import { make, speak } from "./element.js";
import { words } from "./notation.js";

/** What comes sooner than this is not worth a word, in milliseconds. */
const SOON = 250;
/** How long a failure is shown. */
const LONG = 8000;

/** The bar, and what it says. */
export function mount(parent) {
  const bar = make("progress", { "aria-label": "Loaded" });
  const text = make("span");
  const element = make("aside", { class: "loading", "aria-label": "Loading", hidden: true }, text, bar);
  parent.append(element);
  /** What is being loaded, the latest last. */
  const open = new Map();
  let timer = null;

  const show = () => {
    clearTimeout(timer);
    timer = null;
    // What is waited for comes before what improves estimates.
    const news = [...open.values()].sort((a, b) => Number(a.full ?? false) - Number(b.full ?? false))[0];
    element.hidden = !news;
    if (!news) return;
    text.textContent = sentence(news);
    if (news.total) Object.assign(bar, { max: news.total, value: Math.min(news.loaded, news.total) });
    else bar.removeAttribute("value");
  };

  onloading((news) => {
    const name = `${news.what} ${news.id ?? news.full}`;
    if (!news.done) open.set(name, news);
    else open.delete(name);
    if (news.failed && news.full) return fail("The full network could not be loaded: estimates stay quick ones.");
    if (news.done && news.full) speak("The full network is loaded");
    if (!element.hidden || open.size === 0) show();
    else timer ??= setTimeout(show, SOON);
  });

  function fail(says) {
    element.hidden = false;
    bar.value = 0;
    text.textContent = says;
    timer = setTimeout(show, LONG);
  }
}

function sentence({ what, full, id, loaded, total }) {
  const size = total ? ` ${mega(loaded)} of ${mega(total)} MB` : "";
  if (what === "engine") return `Loading the engine …${size}`;
  if (what === "table") return `Loading the table of ${words(id)} …${size}`;
  return full ? `Quick estimates for now: the full network is loading …${size}` : `Loading a network for quick estimates …${size}`;
}

const mega = (bytes) => (bytes / 1e6).toFixed(1);
