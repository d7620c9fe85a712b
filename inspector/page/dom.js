// Elements. Everything that comes from a program is set as text, never as markup, with its hidden characters.
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : visible(value));
  }
  const isContent = (child) => child !== null && child !== undefined && child !== false;
  const content = children.flat(Infinity).filter(isContent).map((child) => (child instanceof Node ? child : visible(child)));
  // A loop, since there may be more children than a call can have arguments.
  for (const child of content) element.append(child);
  return element;
}

function heading(text, ...more) {
  return el("h2", {}, text, ...more);
}

function list(pairs) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  return el("dl", {}, known.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

// Characters that change the order of others, or that cannot be seen, would let a text of a program look like another one.
const CONTROLS = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad";
const ORDERS = "\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const HIDDEN = new RegExp(`[${CONTROLS}${ORDERS}]|\\r(?!\\n)`, "g");

function visible(text) {
  const code = (character) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return String(text).replace(HIDDEN, (character) => `⟨${code(character)}⟩`);
}

// A browser is slow with much longer texts. What is left out is said.
function clipped(text, maximum = 1 << 18) {
  if (text.length <= maximum) return [text];
  const rest = `The first ${count(maximum)} of ${count(text.length)} characters are shown.`;
  return [text.slice(0, maximum), el("span", { class: "cut" }, rest)];
}

// Whole numbers that JavaScript would round are kept as they are written.
function parse(text) {
  if (!JSON.rawJSON || !/[:,[]\s*-?\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source } = {}) => {
    const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isRounded && source ? JSON.rawJSON(source) : value;
  });
}
