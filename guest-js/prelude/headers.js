// `Headers` of fetch.

import { inspect } from "./inspect.js";
import { builtIn } from "./globals.js";

const custom = Symbol.for("nodejs.util.inspect.custom");
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkedName(name) {
  const text = `${name}`;
  if (!TOKEN.test(text)) throw new TypeError(`Headers: ${inspect(text)} is an invalid header name.`);
  return text.toLowerCase();
}

function checkedValue(value) {
  const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0 || code === 10 || code === 13 || code > 255)
      throw new TypeError(`Headers: ${inspect(text)} is an invalid header value.`);
  }
  return text;
}

// Returns the headers as a request sends them: each name once, as the program wrote it first.
export let written;

export class Headers {
  // A lower-case name, a value and the name as it was written, each, in the order of insertion.
  #pairs = [];

  static {
    written = (headers) => {
      const names = new Map();
      for (const [name, , text] of headers.#pairs) if (!names.has(name)) names.set(name, text);
      return [...names].map(([name, text]) => [text, headers.get(name)]);
    };
  }

  constructor(init) {
    if (init === undefined || init === null) return;
    if (typeof init !== "object") throw new TypeError("Headers takes pairs, an object or other headers");
    if (#pairs in init) {
      this.#pairs = init.#pairs.map((pair) => [...pair]);
      return;
    }
    const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name, value) {
    this.#pairs.push([checkedName(name), checkedValue(value), `${name}`]);
  }
  delete(name) {
    const key = checkedName(name);
    this.#pairs = this.#pairs.filter(([known]) => known !== key);
  }
  get(name) {
    const key = checkedName(name);
    const values = this.#pairs.filter(([known]) => known === key).map(([, value]) => value);
    return values.length === 0 ? null : values.join(", ");
  }
  getSetCookie() {
    return this.#pairs.filter(([known]) => known === "set-cookie").map(([, value]) => value);
  }
  has(name) {
    const key = checkedName(name);
    return this.#pairs.some(([known]) => known === key);
  }
  set(name, value) {
    const key = checkedName(name);
    const text = checkedValue(value);
    const index = this.#pairs.findIndex(([known]) => known === key);
    if (index < 0) {
      this.#pairs.push([key, text, `${name}`]);
      return;
    }
    this.#pairs[index][1] = text;
    this.#pairs = this.#pairs.filter(([known], at) => known !== key || at === index);
  }
  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries() {
    const names = [...new Set(this.#pairs.map(([name]) => name))].sort();
    for (const name of names) {
      if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name)];
    }
  }
  *keys() {
    for (const [name] of this.entries()) yield name;
  }
  *values() {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  [custom](depth, options) {
    const shown = {};
    for (const [name, value] of this) shown[name] = name === "set-cookie" ? this.getSetCookie() : value;
    return `Headers ${inspect(shown, options)}`;
  }
}
builtIn("Headers", Headers);
