// `Headers` of fetch.

import { inspect } from "./inspect.js";
import { builtIn } from "./globals.js";
import { enumerable, iterable, needs } from "./pairs.js";

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

// The pairs of a value for the constructor: a sequence of pairs, or an object.
function pairsIn(init) {
  if (init === null || typeof init !== "object")
    throw new TypeError("Headers constructor: init was given by a value that is neither pairs, an object nor other headers.");
  const iterate = init[Symbol.iterator];
  if (iterate === undefined || iterate === null) return Reflect.ownKeys(init).filter((key) => Object.getOwnPropertyDescriptor(init, key)?.enumerable).map((key) => [key, init[key]]);
  return Array.from({ [Symbol.iterator]: () => iterate.call(init) }, (pair) => {
    const parts = pair !== null && typeof pair === "object" && typeof pair[Symbol.iterator] === "function" ? [...pair] : [];
    if (parts.length !== 2) throw new TypeError("Headers constructor: expected name/value pair to be length 2.");
    return parts;
  });
}

// Returns the headers as a request sends them: each name once, as the program wrote it first.
export let written;

export class Headers {
  // A lower-case name, a value and the name as it was written, each, in the order of insertion.
  #pairs = [];
  #immutable = false;
  #sorted;

  static {
    written = (headers) => {
      const names = new Map();
      for (const [name, , text] of headers.#pairs) if (!names.has(name)) names.set(name, text);
      return [...names].map(([name, text]) => [text, headers.get(name)]);
    };
  }

  constructor(init = undefined) {
    if (init === undefined) return;
    // Other headers keep the spelling of their names, unless the program has changed how they are iterated.
    if (init instanceof Headers && #pairs in init && init[Symbol.iterator] === Headers.prototype.entries) {
      this.#pairs = init.#pairs.map((pair) => [...pair]);
      return;
    }
    for (const [name, value] of pairsIn(init)) this.append(name, value);
  }

  // Refuses changes from now on.
  static freeze(headers) {
    headers.#immutable = true;
  }

  // Pairs in the order of their names, with values of one name combined.
  static pairsOf(headers) {
    if (headers.#sorted !== undefined) return headers.#sorted;
    const names = [...new Set(headers.#pairs.map(([name]) => name))].sort();
    headers.#sorted = names.flatMap((name) =>
      name === "set-cookie" ? headers.getSetCookie().map((value) => [name, value]) : [[name, headers.get(name)]],
    );
    return headers.#sorted;
  }

  #change() {
    if (this.#immutable) throw new TypeError("immutable");
    this.#sorted = undefined;
  }
  append(name, value) {
    needs(arguments, 2, "Headers.append");
    const pair = [checkedName(name), checkedValue(value), `${name}`];
    this.#change();
    this.#pairs.push(pair);
  }
  delete(name) {
    needs(arguments, 1, "Headers.delete");
    const key = checkedName(name);
    this.#change();
    this.#pairs = this.#pairs.filter(([known]) => known !== key);
  }
  get(name) {
    needs(arguments, 1, "Headers.get");
    const key = checkedName(name);
    const values = this.#pairs.filter(([known]) => known === key).map(([, value]) => value);
    return values.length === 0 ? null : values.join(", ");
  }
  has(name) {
    needs(arguments, 1, "Headers.has");
    const key = checkedName(name);
    return this.#pairs.some(([known]) => known === key);
  }
  set(name, value) {
    needs(arguments, 2, "Headers.set");
    const [key, text] = [checkedName(name), checkedValue(value)];
    this.#change();
    const index = this.#pairs.findIndex(([known]) => known === key);
    if (index < 0) {
      this.#pairs.push([key, text, `${name}`]);
      return;
    }
    this.#pairs[index][1] = text;
    this.#pairs = this.#pairs.filter(([known], at) => known !== key || at === index);
  }
  getSetCookie() {
    return this.#pairs.filter(([known]) => known === "set-cookie").map(([, value]) => value);
  }
  [custom](depth, options) {
    const shown = {};
    for (const [name, value] of this) shown[name] = name === "set-cookie" ? this.getSetCookie() : value;
    return `Headers ${inspect(shown, options)}`;
  }
}

const { freeze, pairsOf } = Headers;
delete Headers.freeze;
delete Headers.pairsOf;
builtIn("Headers", Headers);
iterable(Headers, pairsOf);
enumerable(Headers);

export { freeze as freezeHeaders };
