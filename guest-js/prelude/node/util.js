// `util`.

import { format, formatWithOptions, inspect, inspection } from "isolette:prelude";

import { isDeepStrictEqual } from "./lib/equality.js";
import { checkFunction, coded, invalidType, invalidValue } from "./lib/errors.js";
import { parseArgs } from "./lib/parse_args.js";
import { types } from "./lib/types.js";

const { stripVTControlCharacters } = inspection;

const custom = Symbol.for("nodejs.util.promisify.custom");

function promisify(original) {
  checkFunction(original, "original");
  if (original[custom]) {
    const own = original[custom];
    checkFunction(own, "util.promisify.custom");
    return Object.defineProperty(own, custom, { value: own, configurable: true });
  }
  function promisified(...args) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [...args, (error, ...values) => (error ? reject(error) : resolve(values[0]))]);
    });
  }
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original));
  Object.defineProperty(promisified, custom, { value: promisified, configurable: true });
  return Object.defineProperties(promisified, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = custom;

function callbackify(original) {
  checkFunction(original, "original");
  function callbackified(...args) {
    const callback = args.pop();
    checkFunction(callback, "last argument");
    Reflect.apply(original, this, args).then(
      (value) => process.nextTick(callback, null, value),
      (reason) => {
        const error = reason || coded(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value");
        if (!reason) error.reason = reason;
        process.nextTick(callback, error);
      },
    );
  }
  return Object.defineProperty(callbackified, "name", { value: `${original.name}Callbackified`, configurable: true });
}

function inherits(constructor, parent) {
  if (typeof constructor !== "function") throw invalidType("ctor", "function", constructor);
  if (typeof parent !== "function") throw invalidType("superCtor", "function", parent);
  if (parent.prototype === undefined) throw invalidType("superCtor.prototype", "object", parent.prototype);
  Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

const warned = new Set();

function deprecate(method, message, code) {
  let hasWarned = false;
  function deprecated(...args) {
    if (!hasWarned && !warned.has(code)) {
      hasWarned = true;
      if (code !== undefined) warned.add(code);
      process.emitWarning(code === undefined ? message : `[${code}] ${message}`, "DeprecationWarning");
    }
    return new.target ? Reflect.construct(method, args, new.target) : Reflect.apply(method, this, args);
  }
  Object.setPrototypeOf(deprecated, method);
  return deprecated;
}

function debuglog() {
  return Object.assign(() => {}, { enabled: false });
}

function styleText(style, text, { validateStream } = {}) {
  if (typeof text !== "string") throw invalidType("text", "string", text);
  let [before, after] = ["", ""];
  for (const name of Array.isArray(style) ? style : [style]) {
    const codes = inspect.colors[name];
    if (codes === undefined)
      throw invalidValue("format", name, `must be one of: ${Object.keys(inspect.colors).map((key) => `'${key}'`).join(", ")}`);
    before += `\x1b[${codes[0]}m`;
    after = `\x1b[${codes[1]}m${after}`;
  }
  return `${before}${text}${after}`;
}

const ERRNO = {
  1: "EPERM",
  2: "ENOENT",
  5: "EIO",
  9: "EBADF",
  11: "EAGAIN",
  13: "EACCES",
  17: "EEXIST",
  20: "ENOTDIR",
  21: "EISDIR",
  22: "EINVAL",
  28: "ENOSPC",
  30: "EROFS",
  39: "ENOTEMPTY",
  110: "ETIMEDOUT",
  111: "ECONNREFUSED",
};

class MIMEType {
  constructor(text) {
    const [essence, ...rest] = `${text}`.split(";").map((part) => part.trim());
    const [type, subtype] = essence.toLowerCase().split("/");
    if (!type || !subtype) throw coded(TypeError, "ERR_INVALID_MIME_SYNTAX", `The MIME syntax for a type in ${inspect(text)} is invalid`);
    this.type = type;
    this.subtype = subtype;
    this.params = new Map(rest.filter(Boolean).map((part) => part.split("=").map((side) => side.replace(/^"|"$/g, ""))));
  }
  get essence() {
    return `${this.type}/${this.subtype}`;
  }
  toString() {
    return [this.essence, ...[...this.params].map(([name, value]) => `${name}=${value}`)].join(";");
  }
}


const util = {
  format,
  formatWithOptions,
  inspect,
  promisify,
  callbackify,
  inherits,
  deprecate,
  debuglog,
  debug: debuglog,
  types,
  isDeepStrictEqual,
  stripVTControlCharacters,
  styleText,
  parseArgs,
  toUSVString: (text) => `${text}`.toWellFormed(),
  getSystemErrorName: (number) => ERRNO[-number],
  getSystemErrorMap: () => new Map(Object.entries(ERRNO).map(([number, name]) => [-number, [name, name]])),
  aborted: (signal) => new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()))),
  log: (...values) => console.log(`${new Date().toISOString()} - ${format(...values)}`),
  TextEncoder,
  TextDecoder,
  MIMEType,
  _extend: (target, source) => Object.assign(target, source),
  isArray: Array.isArray,
  isBuffer: (value) => Buffer.isBuffer(value),
  isBoolean: (value) => typeof value === "boolean",
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === "number",
  isString: (value) => typeof value === "string",
  isSymbol: (value) => typeof value === "symbol",
  isUndefined: (value) => value === undefined,
  isRegExp: types.isRegExp,
  isObject: (value) => value !== null && typeof value === "object",
  isDate: types.isDate,
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  isFunction: (value) => typeof value === "function",
  isPrimitive: (value) => value === null || (typeof value !== "object" && typeof value !== "function"),
};

export default util;
