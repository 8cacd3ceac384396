// What an area shows, in the address: `#area?name=value&…`.

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

  /** What is wrong, as a sentence, or nothing. */
  get complaint() {
    return this.wrong.length === 0 ? "" : `This link is not right: ${this.wrong.join("; ")}.`;
  }
}
