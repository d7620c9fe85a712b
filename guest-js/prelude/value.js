// The value of a program, as JSON if JSON can represent it.

import { inspect } from "./inspect.js";
import { fits64Bits, withAllDigits } from "./tool_values.js";

const { isRawJSON, rawJSON, stringify } = JSON;
const evaluate = globalThis.eval;

// Looks up the name when it is called, for any kind of declaration: a global, a `let`, a `const`.
const lookUp = evaluate("() => typeof result === 'undefined' ? undefined : result");

// A value of an earlier program of the session counts only if this program assigns it.
let before;
let rebound = false;

export function beginValue(assigns) {
  rebound = assigns;
  try {
    before = lookUp();
  } catch {
    before = undefined;
  }
}

// The global `result`, or undefined if the program has not assigned it.
export function result() {
  const now = lookUp();
  return rebound || !Object.is(now, before) ? now : undefined;
}

class Inexact extends Error {}

const unfit = [
  Map,
  Set,
  WeakMap,
  WeakSet,
  WeakRef,
  Promise,
  RegExp,
  Error,
  ArrayBuffer,
  SharedArrayBuffer,
  DataView,
  Object.getPrototypeOf(Uint8Array),
  FinalizationRegistry,
];

// JSON.stringify would drop or change these values silently.
function check(key, given) {
  // `toJSON` of integers was called before; the integer is what counts.
  const value = isRawJSON(given) && typeof this[key] === "bigint" ? this[key] : given;
  switch (typeof value) {
    case "number":
      if (!Number.isFinite(value)) throw new Inexact();
      return withAllDigits(value);
    case "bigint":
      if (!fits64Bits(value)) throw new Inexact();
      return rawJSON(`${value}`);
    case "function":
    case "symbol":
      throw new Inexact();
    case "object":
      if (value !== null && unfit.some((type) => value instanceof type)) throw new Inexact();
  }
  return value;
}

// Half a surrogate pair is text in JavaScript only.
const wellFormed = (json) =>
  /\\ud[89a-f]/i.test(json)
    ? json.replace(/\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g, (escape) =>
        /^\\ud[89a-f]/i.test(escape) ? "\ufffd" : escape,
      )
    : json;

function printed(value) {
  try {
    return inspect(value, { depth: 10, maxArrayLength: 1000, maxStringLength: 1e6, breakLength: 120 });
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function encode(value) {
  if (value === undefined) return undefined;
  try {
    const json = stringify(value, check);
    if (json !== undefined) return [wellFormed(json), true];
  } catch (error) {
    // A `toJSON` or a getter of the program threw, or the value is cyclic, too deep or not supported: the value is
    // printed instead.
    if (error?.message === "out of memory") throw error;
  }
  return [wellFormed(stringify(printed(value))), false];
}

const isPromise = (value) => value instanceof Promise;

async function settled(promise) {
  const outcome = await promise;
  const chosen = result();
  return encode(chosen === undefined ? outcome : await chosen);
}

// `completion` is the value of the program's last statement. Returns a promise if there is one to wait for, otherwise
// JSON and whether it is exact, or undefined. A completion that is `callable` is called.
export function value(completion, callable) {
  const outcome = callable ? completion() : completion;
  const given = result();
  const chosen = given === undefined ? outcome : given;
  return isPromise(chosen) ? settled(chosen) : encode(chosen);
}

// The value if the promise was never settled.
export function unsettledValue(completion) {
  const given = result();
  return encode(given === undefined ? completion : given);
}
