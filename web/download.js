// Files that the page makes.
import { make } from "./element.js";

/** Saves a text, or what else a file can hold, under a name. */
export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: name }).click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
