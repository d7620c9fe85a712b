import { IsoletteError } from "./errors.js";

/** Functions of `JSON` since ES2026, which the compiler's types lack. */
const exact = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
};

const BITS = 64n;

function fits(integer: bigint): boolean {
  return integer >= -(1n << (BITS - 1n)) && integer < 1n << BITS;
}

/**
 * Writes JSON. A `bigint` and a number beyond 2^53 are sent with all their digits.
 * @throws {@link IsoletteError} that names the place of a number that JSON, or the server, does not have.
 */
export function stringify(value: unknown, root = ""): string | undefined {
  // The objects around a value, each with its own key.
  const around: [unknown, string][] = [];
  return JSON.stringify(value, function (this: unknown, key: string, value: unknown) {
    while (around.length > 0 && around[around.length - 1]?.[0] !== this) around.pop();
    const refused = (why: string, hint: string) => {
      const keys = [...around.slice(1).map(([, step]) => step), ...(around.length > 0 ? [key] : [])];
      const shown = String(value).slice(0, 100);
      return new IsoletteError("InvalidArgument", `\`${placeOf(root, keys)}\` is ${shown}, ${why}`, hint);
    };
    if (typeof value === "bigint") {
      if (!fits(value)) throw refused("an integer of more than 64 bits, which would lose digits", "pass it as text");
      return exact.rawJSON(String(value));
    }
    if (typeof value === "number") {
      if (!Number.isFinite(value)) throw refused("which JSON does not have", "pass null or a text");
      if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
      const integer = BigInt(value);
      return exact.rawJSON(fits(integer) ? String(integer) : value.toExponential());
    }
    if (typeof value === "object" && value !== null) around.push([value, key]);
    return value;
  });
}

function placeOf(root: string, keys: string[]): string {
  const place = keys.reduce((text, key) => {
    if (/^(0|[1-9]\d*)$/.test(key)) return `${text}[${key}]`;
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`;
  }, root);
  return root === "" ? place.replace(/^\./, "") : place;
}

/** Reads JSON. An integer beyond 2^53, whose digits a number does not have, is a `bigint`. */
export function parse(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return exact.parse(text, (_, value, { source }) => {
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined;
    return isRounded && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** Returns a copy of a value with integers beyond 2^53 as texts, for readers that write the value as JSON again. */
export function withoutBigInts(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigInts(inner)]));
}
