// Arguments and results of tools, and variables, where `JSON.stringify` and `JSON.parse` would change numbers silently.
//
// JSON has integers of any length. A number of the language is exact up to 2^53, and the host has integers of 64 bits.
// `src/tools.rs` calls these functions only for texts that may have such numbers.

import { host } from "./host.js";
import { forgetLater } from "./session.js";

const { isRawJSON, parse, rawJSON, stringify } = JSON;
const { isFinite, isInteger, isSafeInteger } = Number;
const toBigInt = BigInt;

export const fits64Bits = (integer) => integer >= -(2n ** 63n) && integer < 2n ** 64n;

// A reader of an integer of up to 64 bits expects all its digits. `JSON.stringify` writes only as many as distinguish a
// number from its neighbours, followed by zeros.
export function withAllDigits(number) {
  if (!isInteger(number) || isSafeInteger(number)) return number;
  const integer = toBigInt(number);
  return rawJSON(fits64Bits(integer) ? `${integer}` : number.toExponential());
}

const said = new Set();

// Says something on standard error, once in each program.
function note(kind, text) {
  if (said.has(kind)) return;
  forgetLater(forget);
  said.add(kind);
  host.write(true, `note: ${text}\n`);
}

// Results are usually printed as JSON, which has integers of this size, although `JSON.stringify` refuses a BigInt.
function toJSON() {
  return rawJSON(`${this}`);
}

const { prototype } = BigInt;

function makeBigIntsJSON() {
  if (Object.hasOwn(prototype, "toJSON")) return;
  forgetLater(forget);
  Object.defineProperty(prototype, "toJSON", { value: toJSON, writable: true, configurable: true, enumerable: false });
}

function forget() {
  said.clear();
  if (Object.getOwnPropertyDescriptor(prototype, "toJSON")?.value === toJSON) delete prototype.toJSON;
}

const isName = (key) => /^[A-Za-z_$][\w$]*$/.test(key);

// The place of a value, from the keys on the way to it.
const place = (keys) =>
  keys.reduce((text, key) => {
    if (/^(0|[1-9]\d*)$/.test(key)) return `${text}[${key}]`;
    return isName(key) ? `${text}.${key}` : `${text}[${stringify(key)}]`;
  }, "arguments");

// The arguments of a tool as JSON. Throws a TypeError that names a number which JSON, or the host, does not have.
export function encodeArguments(tool, args) {
  // The objects around a value, each with the keys on the way to it.
  const around = [];
  return stringify(args, function (key, given) {
    while (around.length > 0 && around[around.length - 1][0] !== this) around.pop();
    const keys = () => [...around.slice(1).map(([, step]) => step), ...(around.length > 0 ? [key] : [])];
    // `toJSON` was called before; the integer is what counts.
    const value = isRawJSON(given) && typeof this[key] === "bigint" ? this[key] : given;
    const refused = (why, hint) => {
      const text = `call_tool('${tool}', …): ${place(keys())} is ${String(value).slice(0, 100)}, ${why}`;
      return new TypeError(`${text}\nhint: ${hint}`);
    };
    switch (typeof value) {
      case "bigint":
        if (fits64Bits(value)) return rawJSON(`${value}`);
        throw refused("an integer of more than 64 bits, which tools do not get", "pass it as text: String(value)");
      case "number":
        if (!isFinite(value)) throw refused("which JSON does not have", "pass null or a text");
        // Of 15 digits none is lost.
        if (isInteger(value) && !isSafeInteger(value) && value.toExponential().replace(/e.*|\D/g, "").length > 15) {
          note(
            "argument",
            `${place(keys())} of tool '${tool}' is a number beyond 2^53, which does not keep the last digits of an ` +
              `integer; ${toBigInt(value)} was sent. Write such an integer as BigInt (1234567890123456789n), or as text.`,
          );
        }
        return withAllDigits(value);
      case "object":
        if (value !== null) around.push([value, key]);
    }
    return value;
  });
}

// The value of JSON. Integers beyond 2^53 are BigInts with all their digits. With a `root`, the first one is announced.
export function decodeExact(json, root) {
  let found;
  const value = parse(json, (_key, value, { source }) => {
    if (typeof value !== "number" || isSafeInteger(value) || source === undefined || !/^-?\d+$/.test(source)) return value;
    found ??= source;
    return toBigInt(source);
  });
  if (found === undefined) return value;
  makeBigIntsJSON();
  if (root) {
    note(
      "result",
      `${root} has integers beyond 2^53, such as ${found}. They are BigInts, since a number does not have all their digits: ` +
        "calculate with BigInts (id + 1n), or convert them with Number(id) or String(id).",
    );
  }
  return value;
}
