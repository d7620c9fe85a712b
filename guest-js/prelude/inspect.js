// Values as Node prints them.

import { host } from "./host.js";

import util from "node-inspect-extracted";

export const { inspect, formatWithOptions, format } = util;
export { util };

const custom = Symbol.for("nodejs.util.inspect.custom");

// The polyfill cannot look into a promise; the engine can.
function inspectPromise(depth, options, inspect) {
  const [state, content] = host.promiseState(this);
  const name = this.constructor?.name ?? "Promise";
  if (state === "pending") return `${name} { ${options.stylize("<pending>", "special")} }`;
  const shown = depth < 0 ? options.stylize(`[${name}]`, "special") : inspect(content, { ...options, depth });
  return state === "fulfilled"
    ? `${name} { ${shown} }`
    : `${name} { ${options.stylize("<rejected>", "special")} ${shown} }`;
}

export function installInspect() {
  Object.defineProperty(Promise.prototype, custom, { value: inspectPromise, writable: true, configurable: true });
}
