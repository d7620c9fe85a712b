// `tools.github.create_issue({...})`: every tool by its name as a path.
//
// The host is not called before the tool call: it reports whether the tool exists, and similar names. Only enumeration
// (`in`, `Object.keys`, a name with `_` at its end) needs the list of tools.

import { named } from "./globals.js";
import { host } from "./host.js";

// Properties that the language and printing functions look up in any object or function. A tool with such a name takes
// precedence.
const USUAL = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
  ...["prototype", "then", "toJSON", "inspect"],
]);

export function listing() {
  const outcome = host.searchTools("", "name", [], 0xffffffff);
  return Array.isArray(outcome) ? [] : outcome.tools.map((tool) => tool.name);
}

// The names directly below a path.
function below(path) {
  const prefix = path === "" ? "" : `${path}.`;
  const names = listing().filter((name) => name.startsWith(prefix));
  return [...new Set(names.map((name) => name.slice(prefix.length).split(".", 1)[0]))];
}

// A tool or namespace with the name of a method of `tools`, or of a keyword, is accessed with `_` at its end.
function meant(path) {
  if (!path.includes("_")) return path;
  const names = listing();
  if (names.includes(path)) return path;
  const parts = path.split(".");
  for (let count = 1; count <= parts.length; count += 1) {
    const start = parts.slice(0, count).join(".");
    const isThere = names.some((name) => name === start || name.startsWith(`${start}.`));
    if (!isThere && start.endsWith("_")) parts[count - 1] = parts[count - 1].slice(0, -1);
  }
  return parts.join(".");
}

const endsWithMark = (path) => path.split(".").some((part) => part.endsWith("_"));

function handler(path, own, call, start) {
  const inner = new Map();
  const tool = () => (endsWithMark(path) ? meant(path) : path);
  return {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key];
      if (typeof key !== "string") return Reflect.get(target, key);
      if (USUAL.has(key) && !below(path).includes(key)) return Reflect.get(target, key);
      let member = inner.get(key);
      if (member === undefined) {
        if (key === "start" && path !== "" && !below(path).includes(key)) {
          member = named("start", (...args) => start(tool(), ...args));
        } else {
          member = node(path === "" ? key : `${path}.${key}`, call, start);
        }
        inner.set(key, member);
      }
      return member;
    },
    has(target, key) {
      return Object.hasOwn(own, key) || (typeof key === "string" && below(path).includes(key));
    },
    ownKeys() {
      return [...new Set([...Object.keys(own), ...below(path)])];
    },
    getOwnPropertyDescriptor(target, key) {
      if (!this.has(target, key)) return undefined;
      return { value: this.get(target, key), writable: false, enumerable: true, configurable: true };
    },
    set(target, key) {
      throw new TypeError(`tools cannot be changed: ${path === "" ? "" : `${path}.`}${String(key)}`);
    },
    defineProperty() {
      return false;
    },
    deleteProperty() {
      return false;
    },
    apply(target, self, args) {
      if (args.length > 1) throw new TypeError(`tools.${path} takes its arguments as one object: { key: value }`);
      return call(tool(), ...args);
    },
  };
}

// An arrow function has no property that a proxy must report.
function node(path, call, start) {
  return new Proxy(named(path.split(".").pop(), () => {}), handler(path, {}, call, start));
}

// `call` calls a tool and returns its result, `start` returns a promise of it.
export const namespaces = (call, start, own) => new Proxy({}, handler("", own, call, start));
