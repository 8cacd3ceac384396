// Light, dark, or as the system has it; remembered by the browser.
import { make } from "./element.js";

const NAMES = { auto: "as the system", light: "light", dark: "dark" };
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

/** A button that goes through the themes. */
export function themeSwitch() {
  let theme = remembered();
  const button = make("button", { type: "button", class: "quiet", onclick: () => set(next(theme)) });
  const set = (to) => {
    theme = to;
    if (theme === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset.theme = theme;
    button.textContent = SIGNS[theme];
    button.setAttribute("aria-label", `Colours: ${NAMES[theme]}`);
    button.title = `Colours: ${NAMES[theme]}`;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // A browser that keeps nothing still shows it.
    }
  };
  set(theme);
  return button;
}

function next(theme) {
  const names = Object.keys(NAMES);
  return names[(names.indexOf(theme) + 1) % names.length];
}

function remembered() {
  try {
    const theme = localStorage.getItem("theme");
    return theme in NAMES ? theme : "auto";
  } catch {
    return "auto";
  }
}
