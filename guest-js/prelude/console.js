// `console`, like in Node. Output is sent to the host unchanged and not kept here.

import { define } from "./globals.js";
import { host } from "./host.js";
import { formatWithOptions, inspect, installInspect } from "./inspect.js";
import { forgetLater } from "./session.js";
import { table } from "./table.js";

let indentation = "";
let counts = new Map();
let clocks = new Map();

function forget() {
  indentation = "";
  counts = new Map();
  clocks = new Map();
}

// Most lines consist of texts and numbers, which need no inspection.
function plain(value) {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return value === 0 && 1 / value < 0 ? "-0" : "" + value;
    case "boolean":
    case "undefined":
      return "" + value;
  }
  return undefined;
}

function text(values) {
  if (values.length === 1 || typeof values[0] !== "string" || !values[0].includes("%")) {
    let line = "";
    for (let index = 0; index < values.length; index += 1) {
      const shown = plain(values[index]);
      if (shown === undefined) return formatWithOptions({}, ...values);
      line = index === 0 ? shown : line + " " + shown;
    }
    return line;
  }
  return formatWithOptions({}, ...values);
}

function write(toStderr, values) {
  let line = text(values);
  if (indentation !== "") line = indentation + line.replaceAll("\n", `\n${indentation}`);
  host.write(toStderr, line + "\n");
}

function elapsed(label) {
  const began = clocks.get(label);
  if (began === undefined) return write(true, [`Warning: No such label '${label}' for console.time()`]);
  const milliseconds = host.monotonic() - began;
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(3)}s`;
  return `${milliseconds.toFixed(3).replace(/\.?0+$/, "")}ms`;
}

const methods = {
  log: (...values) => write(false, values),
  warn: (...values) => write(true, values),
  dir: (value, options) => write(false, [inspect(value, { customInspect: false, ...options })]),
  time(label = "default") {
    forgetLater(forget);
    clocks.set(`${label}`, host.monotonic());
  },
  timeEnd(label = "default") {
    const time = elapsed(`${label}`);
    if (time !== undefined) write(false, [`${label}: ${time}`]);
    clocks.delete(`${label}`);
  },
  timeLog(label = "default", ...values) {
    const time = elapsed(`${label}`);
    if (time !== undefined) write(false, [`${label}: ${time}`, ...values]);
  },
  trace(...values) {
    const place = new Error().stack.split("\n").slice(1).join("\n");
    write(true, [`Trace${values.length > 0 ? ": " : ""}${text(values)}${place === "" ? "" : `\n${place}`}`]);
  },
  assert(condition, ...values) {
    if (condition) return;
    if (typeof values[0] === "string") write(true, [`Assertion failed: ${values[0]}`, ...values.slice(1)]);
    else write(true, values.length > 0 ? ["Assertion failed:", ...values] : ["Assertion failed"]);
  },
  count(label = "default") {
    forgetLater(forget);
    const count = (counts.get(`${label}`) ?? 0) + 1;
    counts.set(`${label}`, count);
    write(false, [`${label}: ${count}`]);
  },
  countReset(label = "default") {
    counts.delete(`${label}`);
  },
  group(...values) {
    if (values.length > 0) write(false, values);
    forgetLater(forget);
    indentation += "  ";
  },
  groupEnd() {
    indentation = indentation.slice(2);
  },
  table(data, columns) {
    write(false, [table(data, columns) ?? data]);
  },
};

export function installConsole() {
  installInspect();
  const console = {};
  const aliases = { debug: "log", info: "log", dirxml: "log", error: "warn", groupCollapsed: "group" };
  for (const [name, method] of Object.entries(methods)) console[name] = method;
  for (const [name, method] of Object.entries(aliases)) console[name] = methods[method];
  Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
  define("console", console);
  define("print", methods.log);
}
