// Files in and out: chosen, dropped on the page, saved.
import { make } from "./element.js";

/** A file that the user chooses, or null. */
export function pickFile(accept) {
  return new Promise((resolve) => {
    const input = make("input", { type: "file", accept, onchange: () => resolve(input.files[0] ?? null), oncancel: () => resolve(null) });
    input.click();
  });
}

/** Saves content under a name. */
export function download(name, content, type = "application/octet-stream") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Calls `onfile` with a file that is dropped anywhere on the page while `active()` holds. */
export function onDroppedFile(active, onfile) {
  const files = (event) => active() && [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => { if (files(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) onfile(file);
  });
}
