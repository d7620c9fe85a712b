// `assert`.

import { inspect } from "isolette:prelude";

import { difference, shown } from "./lib/difference.js";
import { isDeepEqual, isDeepStrictEqual } from "./lib/equality.js";
import { checkFunction, coded, invalidType } from "./lib/errors.js";

const HEADLINES = {
  strictEqual: "Expected values to be strictly equal:",
  deepStrictEqual: "Expected values to be strictly deep-equal:",
};

class AssertionError extends Error {
  constructor(options) {
    if (options === null || typeof options !== "object") throw invalidType("options", "object", options);
    const { message, operator, actual, expected } = options;
    super(message === undefined ? describe(operator, actual, expected) : `${message}`);
    Object.defineProperties(this, {
      name: { value: "AssertionError", writable: true, configurable: true },
    });
    this.generatedMessage = message === undefined;
    this.code = "ERR_ASSERTION";
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
  }
  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

const block = (value) => {
  const text = shown(value);
  return text.includes("\n") ? `\n\n${text}\n` : ` ${text}`;
};

function describe(operator, actual, expected) {
  switch (operator) {
    case "deepStrictEqual":
      return difference(actual, expected, HEADLINES.deepStrictEqual);
    case "strictEqual":
      if (typeof actual === "object" && actual !== null && typeof expected === "object" && shown(actual) === shown(expected))
        return `Values have same structure but are not reference-equal:\n\n${shown(actual)}\n`;
      return difference(actual, expected, HEADLINES.strictEqual);
    case "deepEqual":
      return `Expected values to be loosely deep-equal:\n\n${shown(actual)}\n\nshould loosely deep-equal\n\n${shown(expected)}`;
    case "notDeepStrictEqual":
      return `Expected "actual" not to be strictly deep-equal to:${block(actual)}`;
    case "notDeepEqual":
      return `Expected "actual" not to be loosely deep-equal to:${block(actual).trimEnd()}`;
    case "notStrictEqual":
      return typeof actual === "object" && actual !== null
        ? `Expected "actual" not to be reference-equal to "expected":${block(actual)}`
        : `Expected "actual" to be strictly unequal to:${block(actual)}`;
    default:
      return `${shown(actual)} ${operator} ${shown(expected)}`;
  }
}

function fail(message, details, generated) {
  if (Error.isError(message)) throw message;
  const error = new AssertionError({ message, ...details });
  if (generated) error.generatedMessage = true;
  throw error;
}

function check(count, names) {
  if (count < names) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "actual" and "expected" arguments must be specified');
}

// Whether a value is truthy, the most common assertion.
function ok(...args) {
  const [value, message] = args;
  if (value) return;
  if (args.length === 0) {
    fail("No value argument passed to `assert.ok()`", { actual: value, expected: true, operator: "==" }, true);
  }
  if (message !== undefined && message !== null) fail(message, { actual: value, expected: true, operator: "==" });
  const shown = args.map((argument) => inspect(argument)).join(", ");
  fail(`The expression evaluated to a falsy value:\n\n  assert(${shown})\n`, { actual: value, expected: true, operator: "==" }, true);
}

const assert = (...args) => ok(...args);

function comparison(name, operator, holds) {
  return {
    [name](actual, expected, message) {
      check(arguments.length, 2);
      if (!holds(actual, expected)) fail(message, { actual, expected, operator });
    },
  }[name];
}

const loose = (left, right) => left == right || (Number.isNaN(left) && Number.isNaN(right));

const equal = comparison("equal", "==", loose);
const notEqual = comparison("notEqual", "!=", (left, right) => !loose(left, right));
const strictEqual = comparison("strictEqual", "strictEqual", Object.is);
const notStrictEqual = comparison("notStrictEqual", "notStrictEqual", (left, right) => !Object.is(left, right));
const deepEqual = comparison("deepEqual", "deepEqual", isDeepEqual);
const notDeepEqual = comparison("notDeepEqual", "notDeepEqual", (left, right) => !isDeepEqual(left, right));
const deepStrictEqual = comparison("deepStrictEqual", "deepStrictEqual", isDeepStrictEqual);
const notDeepStrictEqual = comparison(
  "notDeepStrictEqual",
  "notDeepStrictEqual",
  (left, right) => !isDeepStrictEqual(left, right),
);

const isClass = (value) => Error.isPrototypeOf(value) || value === Error || value.prototype !== undefined;

// Whether the error is the expected one; throws an assertion error if it is not.
function expectError(actual, expected, message, operator) {
  const details = { actual, expected, operator };
  const wrong = (text) => fail(message ?? text, details, message === undefined);
  if (typeof expected === "function") {
    if (isClass(expected)) {
      if (actual instanceof expected) return;
      if (Error.isPrototypeOf(expected) || expected === Error) {
        const name = actual?.constructor?.name ?? typeof actual;
        const detail = Error.isError(actual) ? `\n\nError message:\n\n${actual.message}` : "";
        wrong(`The error is expected to be an instance of "${expected.name}". Received "${name}"${detail}`);
      }
    }
    const outcome = expected.call({}, actual);
    if (outcome === true) return;
    const name = expected.name === "" ? "The validation function" : `The "${expected.name}" validation function`;
    wrong(`${name} is expected to return "true". Received ${inspect(outcome)}\n\nCaught error:\n\n${Error.isError(actual) ? String(actual) : inspect(actual)}`);
  }
  if (expected instanceof RegExp) {
    if (expected.test(String(actual))) return;
    wrong(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(actual))}\n`);
  }
  if (typeof expected !== "object" || expected === null) {
    throw invalidType("expected", "of type function or an instance of Error, RegExp, or Object", expected);
  }
  if (typeof actual !== "object" || actual === null) {
    wrong(difference(actual, expected, HEADLINES.deepStrictEqual));
  }
  const keys = Object.keys(expected);
  if (Error.isError(expected)) keys.push("name", "message");
  if (keys.length === 0) {
    throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "The argument 'error' may not be an empty object. Received {}");
  }
  const fits = (key) =>
    key in actual &&
    ((typeof actual[key] === "string" && expected[key] instanceof RegExp && expected[key].test(actual[key])) ||
      isDeepStrictEqual(actual[key], expected[key]));
  if (keys.every(fits)) return;
  class Comparison {
    constructor(value, other) {
      for (const key of keys) {
        if (!(key in value)) continue;
        const matches =
          other !== undefined && typeof other[key] === "string" && value[key] instanceof RegExp && value[key].test(other[key]);
        this[key] = matches ? other[key] : value[key];
      }
    }
  }
  wrong(difference(new Comparison(actual), new Comparison(expected, actual), HEADLINES.deepStrictEqual));
}

const nothing = Symbol("nothing");

function thrown(action) {
  checkFunction(action, "fn");
  try {
    action();
  } catch (error) {
    return error;
  }
  return nothing;
}

async function rejected(action) {
  let promise = action;
  if (typeof action === "function") {
    promise = action();
    if (typeof promise?.then !== "function") {
      throw coded(
        TypeError,
        "ERR_INVALID_RETURN_VALUE",
        `Expected instance of Promise to be returned from the "promiseFn" function but got ${promise === null ? "null" : `type ${typeof promise}`}.`,
      );
    }
  } else if (typeof promise?.then !== "function") {
    throw invalidType("promiseFn", "of type function or an instance of Promise", action);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return nothing;
}

function expectsError(operator, actual, expected, message) {
  if (typeof expected === "string") [expected, message] = [undefined, expected];
  if (actual === nothing) {
    const what = operator === "rejects" ? "rejection" : "exception";
    const name = typeof expected === "function" && expected.name ? ` (${expected.name})` : "";
    fail(`Missing expected ${what}${name}${message === undefined ? "." : `: ${message}`}`, {
      actual: undefined,
      expected,
      operator,
    });
  }
  if (expected !== undefined) expectError(actual, expected, message, operator);
}

function expectsNoError(operator, actual, expected, message) {
  if (actual === nothing) return;
  if (typeof expected === "string") [expected, message] = [undefined, expected];
  if (expected === undefined || (typeof expected === "function" ? actual instanceof expected : expected.test(String(actual)))) {
    const what = operator === "doesNotReject" ? "rejection" : "exception";
    const detail = message === undefined || message === "" ? "." : `: ${message}`;
    fail(`Got unwanted ${what}${detail}\nActual message: "${actual?.message}"`, { actual, expected, operator });
  }
  throw actual;
}

function matching(operator, wanted, text) {
  return (string, regexp, message) => {
    if (!(regexp instanceof RegExp)) throw invalidType("regexp", "an instance of RegExp", regexp);
    if (typeof string === "string" && regexp.test(string) === wanted) return;
    const details = { actual: string, expected: regexp, operator };
    if (message !== undefined) fail(message, details);
    const detail =
      typeof string === "string"
        ? `${text} ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`
        : `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`;
    fail(detail, details, true);
  };
}

const methods = {
  AssertionError,
  ok,
  equal,
  notEqual,
  strictEqual,
  notStrictEqual,
  deepEqual,
  notDeepEqual,
  deepStrictEqual,
  notDeepStrictEqual,
  fail(message = "Failed") {
    if (Error.isError(message)) throw message;
    const error = new AssertionError({ message, operator: "fail" });
    error.generatedMessage = arguments.length === 0;
    throw error;
  },
  throws: (action, expected, message) => expectsError("throws", thrown(action), expected, message),
  doesNotThrow: (action, expected, message) => expectsNoError("doesNotThrow", thrown(action), expected, message),
  rejects: async (action, expected, message) => expectsError("rejects", await rejected(action), expected, message),
  doesNotReject: async (action, expected, message) =>
    expectsNoError("doesNotReject", await rejected(action), expected, message),
  match: matching("match", true, "The input did not match the regular expression"),
  doesNotMatch: matching("doesNotMatch", false, "The input was expected to not match the regular expression"),
  ifError(value) {
    if (value === null || value === undefined) return;
    const detail = typeof value === "object" && typeof value.message === "string" ? value.message || value.constructor.name : inspect(value);
    const error = new AssertionError({
      message: `ifError got unwanted exception: ${detail}`,
      actual: value,
      expected: null,
      operator: "ifError",
    });
    error.generatedMessage = false;
    throw error;
  },
};

Object.assign(assert, methods);
assert.strict = Object.assign((...args) => ok(...args), methods, {
  equal: strictEqual,
  notEqual: notStrictEqual,
  deepEqual: deepStrictEqual,
  notDeepEqual: notDeepStrictEqual,
});
assert.strict.strict = assert.strict;

export default assert;
