// Errors with the codes and messages of Node.

import { inspect } from "isolette:prelude";

const withCode = (error, code) => {
  Object.defineProperty(error, "code", { value: code, enumerable: true, writable: true, configurable: true });
  return error;
};

// Node's description of a received value.
export function received(value) {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === "function") return `Received function ${value.name}`;
  if (typeof value === "object") {
    const name = value.constructor?.name;
    return name ? `Received an instance of ${name}` : `Received ${inspect(value, { depth: -1 })}`;
  }
  let shown = inspect(value, { colors: false });
  if (shown.length > 28) shown = `${shown.slice(0, 25)}...`;
  return `Received type ${typeof value} (${shown})`;
}

export function invalidType(name, expected, value) {
  const what = name.includes(".") ? "property" : "argument";
  const kind = /^(of|an instance)/.test(expected) ? expected : `of type ${expected}`;
  return withCode(new TypeError(`The "${name}" ${what} must be ${kind}. ${received(value)}`), "ERR_INVALID_ARG_TYPE");
}

export const invalidValue = (name, value, reason = "is invalid") =>
  withCode(
    new TypeError(
      `The ${name.includes(".") ? "property" : "argument"} '${name}' ${reason}. Received ${inspect(value)}`,
    ),
    "ERR_INVALID_ARG_VALUE",
  );

export const outOfRange = (name, range, value) =>
  withCode(
    new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${inspect(value)}`),
    "ERR_OUT_OF_RANGE",
  );

export const coded = (type, code, message) => withCode(new type(message), code);

export function checkFunction(value, name) {
  if (typeof value !== "function") throw invalidType(name, "function", value);
}

export function checkString(value, name) {
  if (typeof value !== "string") throw invalidType(name, "string", value);
}
