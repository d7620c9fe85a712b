// Formats values like Node.

import { host } from "./host.js";

import util from "node-inspect-extracted";

export const { inspect, formatWithOptions, format } = util;
export { util };

const custom = Symbol.for("nodejs.util.inspect.custom");

// The polyfill cannot inspect a promise; the engine can.
function inspectPromise(depth, options, inspect) {
  const [state, content] = host.promiseState(this);
  const name = this.constructor?.name ?? "Promise";
  if (state === "pending") return `${name} { ${options.stylize("<pending>", "special")} }`;
  const shown = depth < 0 ? options.stylize(`[${name}]`, "special") : inspect(content, { ...options, depth });
  return state === "fulfilled"
    ? `${name} { ${shown} }`
    : `${name} { ${options.stylize("<rejected>", "special")} ${shown} }`;
}

// One of the values of a set-like object, which may contain it twice.
class Shown {
  constructor(value, levels, breakLength) {
    Object.assign(this, { value, levels, breakLength });
  }
  [custom](depth, options, inspect) {
    return inspect(this.value, { ...options, depth: depth + this.levels, breakLength: this.breakLength });
  }
}

// The remaining items of an iterator of a map or a set. The engine copies it, so that it does not advance.
function iteratorInspector(iterator, kind) {
  const prototype = Object.getPrototypeOf(iterator);
  const { copy, next } = prototype;
  delete prototype.copy;
  return function inspectIterator(depth, options, inspect) {
    let copied;
    try {
      copied = copy.call(this);
    } catch {
      return inspect(this, { ...options, depth, customInspect: false });
    }
    if (depth < 0) return options.stylize(`[Object [${kind} Iterator]]`, "special");
    const [rest, arePairs] = copied;
    const shown = new Set();
    for (let step = next.call(rest); !step.done; step = next.call(rest)) {
      // A pair is not a nesting level.
      shown.add(new Shown(step.value, arePairs ? 1 : 0, options.breakLength));
    }
    const [before, after] = [`Set(${shown.size}) {`, `[${kind} ${arePairs ? "Entries" : "Iterator"}] {`];
    // Lines are broken as if the prefix was part of them.
    const breakLength = options.breakLength - (after.length - before.length);
    return after + (shown.size === 0 ? "  }" : inspect(shown, { ...options, depth, breakLength }).slice(before.length));
  };
}

export function installInspect() {
  const install = (prototype, value) =>
    Object.defineProperty(prototype, custom, { value, writable: true, configurable: true });
  install(Promise.prototype, inspectPromise);
  for (const [collection, kind] of [[new Map(), "Map"], [new Set(), "Set"]]) {
    const iterator = collection.keys();
    install(Object.getPrototypeOf(iterator), iteratorInspector(iterator, kind));
  }
}
