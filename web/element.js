// Elements made in one expression.

/** An element with attributes, listeners (`onclick` and so on), properties and children. */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

let count = 0;

/** A control with its label above it. */
export function field(label, control, hint) {
  control.id ||= `field-${++count}`;
  const parts = [make("label", { for: control.id, text: label }), control];
  if (hint) {
    const note = make("small", { id: `${control.id}-hint`, text: hint });
    control.setAttribute("aria-describedby", note.id);
    parts.push(note);
  }
  return make("div", { class: "field" }, parts);
}

/** A list to choose from; options are `[value, text]`. */
export function select(options, value, onchange) {
  const list = make("select", { onchange }, options.map(([v, text]) => make("option", { value: v, text })));
  list.value = value;
  return list;
}

/** A few choices side by side, of which one holds. `value` reads and sets it. */
export function segments(legend, options, value, onchange) {
  const name = `segments-${++count}`;
  const inputs = options.map(([v, text]) => {
    const input = make("input", { type: "radio", name, value: v, onchange: () => onchange?.(v) });
    input.checked = v === value;
    return [input, make("label", { class: "segment" }, input, make("span", { text }))];
  });
  const element = make("fieldset", { class: "segments" }, make("legend", { text: legend }),
    make("div", {}, inputs.map(([, label]) => label)));
  return {
    element,
    get value() {
      return inputs.find(([input]) => input.checked)?.[0].value;
    },
    set value(v) {
      for (const [input] of inputs) input.checked = input.value === v;
    },
    enable(v, can) {
      for (const [input] of inputs) if (input.value === v) input.disabled = !can;
    },
  };
}

/** A few buttons side by side, of which one is pressed: as segments, but arrow keys are not theirs. */
export function choice(legend, options, value, onchange) {
  const pick = (v) => buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.value === v)));
  const buttons = options.map(([v, text]) => make("button", { type: "button", value: v, text, onclick: () => { pick(v); onchange?.(v); } }));
  const element = make("div", { class: "choice", role: "group", "aria-label": legend }, buttons);
  pick(value);
  return {
    element,
    get value() {
      return buttons.find((button) => button.getAttribute("aria-pressed") === "true")?.value;
    },
    set value(v) {
      pick(v);
    },
  };
}

/** Says something to those who listen to the page instead of looking at it. */
export function speak(text) {
  const spoken = document.querySelector("#spoken");
  if (spoken.textContent !== text) spoken.textContent = text;
}
