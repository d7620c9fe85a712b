// `require` and `import()`: the modules that there are, under the names that Node gives them.

import { Buffer } from "./buffer.js";
import EventEmitter from "events";
import path from "path-browserify";

import { interfaces, isInterface, openInterface } from "./capabilities.js";
import { fs } from "./fs.js";
import { define, defineAll } from "./globals.js";
import { aboutModule } from "./hints.js";
import { host } from "./host.js";
import { format, formatWithOptions, inspect } from "./inspect.js";

// How `src/modules.rs` finds the modules in the source that it is given.
const TABLE = Symbol.for("isolette.modules");

const promisify = (method) =>
  function (...args) {
    return new Promise((resolve, reject) => {
      method.call(this, ...args, (error, value) => (error ? reject(error) : resolve(value)));
    });
  };

const sleep = (delay, value, options) =>
  new Promise((resolve, reject) => {
    const { signal } = options ?? {};
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, delay, value);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

const immediate = (value) => new Promise((resolve) => setImmediate(resolve, value));

function makeModules() {
  const { performance, process, setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } =
    globalThis;
  const { URL, URLSearchParams, TextEncoder, TextDecoder, crypto } = globalThis;
  const fileURLToPath = (url) => decodeURIComponent(new URL(url).pathname);
  const pathToFileURL = (place) => new URL(`file://${encodeURI(path.resolve(place))}`);
  return {
    buffer: { Buffer, Blob: globalThis.Blob, File: globalThis.File, atob: globalThis.atob, btoa: globalThis.btoa },
    crypto: {
      randomUUID: () => crypto.randomUUID(),
      getRandomValues: (array) => crypto.getRandomValues(array),
      randomBytes: (size) => Buffer.from(host.randomBytes(size).buffer),
      randomInt: (low, high) =>
        high === undefined ? Math.floor(Math.random() * low) : low + Math.floor(Math.random() * (high - low)),
      webcrypto: crypto,
    },
    events: EventEmitter,
    fs,
    "fs/promises": fs.promises,
    path,
    "path/posix": path,
    perf_hooks: { performance },
    process,
    timers: { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate },
    "timers/promises": { setTimeout: sleep, setImmediate: immediate, scheduler: { wait: sleep } },
    url: { URL, URLSearchParams, fileURLToPath, pathToFileURL },
    util: { format, formatWithOptions, inspect, promisify, TextEncoder, TextDecoder },
  };
}

let modules = {};

const bare = (name) => name.replace(/^node:/, "");

function missing(name) {
  const advice =
    aboutModule(name) ?? `there are ${[...Object.keys(modules), ...interfaces()].join(", ")}; nothing can be installed`;
  const error = new Error(`Cannot find module '${name}'\nhint: ${advice}`);
  return Object.assign(error, { code: "MODULE_NOT_FOUND" });
}

function load(name) {
  if (Object.hasOwn(modules, bare(name))) return modules[bare(name)];
  if (isInterface(name)) return openInterface(name);
  throw missing(name);
}

function require(name) {
  if (typeof name !== "string")
    throw new TypeError(`The "id" argument must be of type string. Received ${typeof name}`);
  return load(name);
}
require.resolve = (name) => {
  require(name);
  return bare(name);
};

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

// The text of a module for the engine, which only knows those that are text.
export function module(name) {
  const names = Object.keys(load(name)).filter((key) => IDENTIFIER.test(key) && key !== "default");
  // Any name can be exported, but not every one can be a variable's.
  const variables = names.map((key, index) => `${key}: $${index}`).join(", ");
  const exported = names.map((key, index) => `$${index} as ${key}`).join(", ");
  return `const module = globalThis[Symbol.for("isolette.modules")](${JSON.stringify(name)}); export default module; const { ${variables} } = module; export { ${exported} };`;
}

export function installModules() {
  defineAll({ Buffer });
  modules = makeModules();
  define("require", require);
  Object.defineProperty(globalThis, TABLE, { value: require });
}
