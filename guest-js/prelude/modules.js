// `require` and `import()`: the existing modules, by the names that Node gives them. Those of `node/` are loaded when a
// program first imports one.

import path from "path-browserify";

import { Buffer } from "./buffer.js";
import { interfaces, isInterface, openInterface } from "./capabilities.js";
import { EventEmitter } from "./events.js";
import { fs } from "./fs.js";
import { define, defineAll } from "./globals.js";
import { aboutModule } from "./hints.js";
import { host } from "./host.js";
import { Module, mainModule } from "./program.js";

const { assign } = Object;

// A loaded module, or a part of it.
const lazy =
  (file, part = (module) => module) =>
  () =>
    part(host.loadModule(file));

const win32 = lazy("path_win32", (make) => make(path));
path.posix = path;
const { format } = path;
// The extension may be written without its dot.
path.format = (parts) =>
  format(parts?.ext && !parts.base && !parts.ext.startsWith(".") ? { ...parts, ext: `.${parts.ext}` } : parts);
path._makeLong = (name) => name;
path.toNamespacedPath = (name) => name;
Object.defineProperty(path, "win32", { get: () => load("path/win32"), enumerable: true, configurable: true });

const MODULES = {
  assert: lazy("assert"),
  "assert/strict": () => load("assert").strict,
  async_hooks: lazy("async_hooks"),
  buffer: () => {
    const constants = { MAX_LENGTH: 0x7fffffff, MAX_STRING_LENGTH: 0x1fffffe8 };
    return { Buffer, Blob, File, atob, btoa, constants, kMaxLength: constants.MAX_LENGTH, isUtf8, isAscii };
  },
  console: () => console,
  constants: () => fs.constants,
  crypto: lazy("crypto"),
  events: () => EventEmitter,
  fs: () => fs,
  "fs/promises": () => fs.promises,
  module: () => assign(Module, { Module, builtinModules: builtins(), createRequire: (from) => files().createRequire(from), isBuiltin }),
  os: lazy("os"),
  path: () => path,
  "path/posix": () => path,
  "path/win32": win32,
  perf_hooks: () => ({ performance, constants: {} }),
  process: () => process,
  querystring: lazy("querystring"),
  readline: lazy("readline"),
  "readline/promises": () => load("readline").promises,
  stream: lazy("stream"),
  "stream/promises": () => load("stream").promises,
  "stream/web": lazy("web_streams"),
  string_decoder: lazy("string_decoder"),
  timers: () => {
    const promises = load("timers/promises");
    return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises };
  },
  "timers/promises": lazy("timers_promises"),
  url: lazy("url"),
  util: lazy("util"),
  "util/types": () => load("util").types,
};

const isUtf8 = (bytes) => host.decodeText(new Uint8Array(bytes.buffer ?? bytes), "utf-8", true, true) != null;
const isAscii = (bytes) => new Uint8Array(bytes.buffer ?? bytes).every((byte) => byte < 0x80);

// Modules that are files. Names of others are those of Node and of interfaces.
const files = () => host.loadModule("file_modules");
const isFile = (name) => /^(?:\.{0,2}\/|file:)|^\.{1,2}$/.test(name);

const opened = new Map();

// Libraries of the prelude write `process/` instead of `process` if they mean a library.
const bare = (name) => name.replace(/^node:/, "").replace(/\/$/, "");
const builtins = () => Object.keys(MODULES);
const isBuiltin = (name) => Object.hasOwn(MODULES, bare(name));

function missing(name) {
  const advice = aboutModule(name) ?? `there are ${[...builtins(), ...interfaces()].join(", ")}; nothing can be installed`;
  const error = new Error(`Cannot find module '${name}'\nhint: ${advice}`);
  return assign(error, { code: "MODULE_NOT_FOUND" });
}

function load(name) {
  const known = bare(name);
  if (Object.hasOwn(MODULES, known)) {
    if (!opened.has(known)) opened.set(known, MODULES[known]());
    return opened.get(known);
  }
  if (isInterface(name)) return openInterface(name);
  throw missing(name);
}

export function require(name) {
  if (typeof name !== "string")
    throw new TypeError(`The "id" argument must be of type string. Received ${typeof name}`);
  return isFile(name) ? files().require(name) : load(name);
}
require.resolve = (name) => {
  if (isFile(name)) return files().resolvePath(name);
  require(name);
  return name;
};
require.cache = Object.create(null);
Object.defineProperty(require, "main", { get: mainModule, enumerable: true, configurable: true });

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

// The name in the engine of a file that a module imports.
export function resolve(base, name) {
  return files().resolve(base, name);
}

// Fills in `import.meta` of a file.
export function describe(meta, name) {
  files().describe(meta, name);
}

// The text of a module for the engine, which only accepts modules as text.
export function module(name) {
  if (!isFile(name)) return reexported(load(name), name);
  const path = files().pathOf(name);
  return files().source(name) ?? reexported(require(path), path);
}

function reexported(exported, name) {
  const names = Object.keys(Object(exported)).filter((key) => IDENTIFIER.test(key) && key !== "default");
  // Any name can be exported, but not every one can be the name of a variable.
  const variables = names.map((key, index) => `${key}: $${index}`).join(", ");
  const local = names.map((key, index) => `$${index} as ${key}`).join(", ");
  return `import { require } from "isolette:prelude"; const module = require(${JSON.stringify(name)}); export default module; const { ${variables} } = module; export { ${local} };`;
}

export function installModules() {
  defineAll({ Buffer });
  define("require", require);
}
