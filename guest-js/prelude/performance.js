// `performance`: time since the start of the run, and marks.

import { builtIn, define } from "./globals.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";

let began;
let origin;
let entries = [];

function forget() {
  began = undefined;
  entries = [];
}

class PerformanceEntry {
  constructor(name, entryType, startTime, duration, detail = null) {
    Object.assign(this, { name, entryType, startTime, duration, detail });
  }
  toJSON() {
    return { ...this };
  }
}
builtIn("PerformanceEntry", PerformanceEntry);

function enter(...parts) {
  forgetLater(forget);
  const entry = new PerformanceEntry(...parts);
  entries.push(entry);
  return entry;
}

// The time of a mark, or the given time.
function timeOf(mark, otherwise) {
  if (mark === undefined) return otherwise;
  if (typeof mark === "number") return mark;
  const found = entries.findLast(({ name, entryType }) => entryType === "mark" && name === `${mark}`);
  if (found === undefined)
    throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
  return found.startTime;
}

const sorted = (kept) => entries.filter(kept).sort((left, right) => left.startTime - right.startTime);

function clear(type, name) {
  entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== `${name}`));
}

// The clocks are read on first use, so that other programs do not wait for them.
function start() {
  if (began !== undefined) return;
  forgetLater(forget);
  began = host.monotonic();
  origin = host.wallClock();
}

class Performance {
  now() {
    start();
    return host.monotonic() - began;
  }
  get timeOrigin() {
    start();
    return origin;
  }
  mark(name, { startTime = this.now(), detail } = {}) {
    return enter(`${name}`, "mark", startTime, 0, detail);
  }
  measure(name, from, to) {
    const options = typeof from === "object" && from !== null ? from : { start: from, end: to };
    const end = options.duration === undefined || options.start === undefined ? timeOf(options.end, this.now()) : timeOf(options.start) + options.duration;
    const start = options.start === undefined && options.duration !== undefined ? end - options.duration : timeOf(options.start, 0);
    return enter(`${name}`, "measure", start, end - start, options.detail);
  }
  getEntries() {
    return sorted(() => true);
  }
  getEntriesByName(name, type) {
    return sorted((entry) => entry.name === `${name}` && (type === undefined || entry.entryType === type));
  }
  getEntriesByType(type) {
    return sorted((entry) => entry.entryType === type);
  }
  clearMarks(name) {
    clear("mark", name);
  }
  clearMeasures(name) {
    clear("measure", name);
  }
  toJSON() {
    return { timeOrigin: this.timeOrigin };
  }
}
builtIn("Performance", Performance);

export function installPerformance() {
  define("performance", new Performance());
}
