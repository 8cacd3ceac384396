// What an area shows, in the address: `#area?name=value&…`.
import { exponent, parseShape } from "./notation.js";

/** The address of an area; what has no value is left out. */
export function addressOf(area, values) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  // Commas and colons may stay as they are, and are easier to read.
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return `#${area}${text ? `?${text}` : ""}`;
}

/** Puts what is shown into the address bar. With `step`, Back comes back to what was there before. */
export function keep(area, values, { step = false } = {}) {
  const to = addressOf(area, values);
  if (location.hash === to) return;
  if (step) history.pushState(null, "", to);
  else history.replaceState(null, "", to);
}

let waiting = null;

/** The same a moment later, for what changes often: browsers refuse many changes in a short time. */
export function keepSoon(area, values) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (location.hash.slice(1).split("?")[0] === area) keep(area, values);
  }, 250);
}

/** Reads what a link asks for, and collects what is wrong with it. */
export class Link {
  constructor(asked, names) {
    this.asked = asked;
    this.wrong = [...new Set(asked.keys())].filter((name) => !names.includes(name)).map((name) => `“${name}” means nothing here`);
  }

  /** One of some values, or another if the link has none of them. */
  choice(name, options, otherwise) {
    return this.read(name, otherwise, (text) => {
      if (!options.includes(text)) throw new Error(`${name} can be ${options.join(", ")}, not “${text.slice(0, 40)}”`);
      return text;
    });
  }

  /** What `parse` makes of a value; it throws if it cannot. */
  read(name, otherwise, parse) {
    if (!this.asked.has(name)) return otherwise;
    try {
      return parse(this.asked.get(name));
    } catch (error) {
      this.wrong.push(error.message);
      return otherwise;
    }
  }

  /** A target tile. */
  target(name, otherwise) {
    return this.read(name, otherwise, (text) => {
      if (!(exponent(text) >= 3)) throw new Error(`“${text.slice(0, 40)}” is not a target tile: it is a power of two from 8`);
      return text;
    });
  }

  /** A board size. */
  shape(name, otherwise) {
    return this.read(name, otherwise, (text) => parseShape(text) && text.trim());
  }

  /** A whole number from 0. */
  number(name, otherwise) {
    return this.read(name, otherwise, (text) => {
      if (!/^\d{1,6}$/.test(text)) throw new Error(`${name} is a whole number from 0, not “${text.slice(0, 40)}”`);
      return Number(text);
    });
  }

  /** What is wrong, as a sentence, or nothing. */
  get complaint() {
    return this.wrong.length === 0 ? "" : `This link is not right: ${this.wrong.join("; ")}.`;
  }
}
