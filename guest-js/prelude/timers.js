// Timers and other work outside of the engine's own queue. `src/event_loop.rs` calls `next` whenever that queue is
// empty.

import { builtIn, defineAll } from "./globals.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";

let ticks = [];
let immediates = [];
let timers = [];
let lastId = 0;
let handles = new Map();

function forget() {
  ticks = [];
  immediates = [];
  timers = [];
  handles = new Map();
}

class Timeout {
  constructor(callback, delay, repeat, args) {
    Object.defineProperties(this, {
      id: { value: ++lastId },
      callback: { value: callback },
      args: { value: args },
      delay: { value: delay },
      repeat: { value: repeat },
      due: { value: 0, writable: true },
      active: { value: false, writable: true },
      counts: { value: true, writable: true },
    });
  }
  ref() {
    this.counts = true;
    return this;
  }
  unref() {
    this.counts = false;
    return this;
  }
  hasRef() {
    return this.counts;
  }
  refresh() {
    if (this.active) {
      remove(this);
      schedule(this);
    }
    return this;
  }
  close() {
    clear(this);
    return this;
  }
  [Symbol.toPrimitive]() {
    return this.id;
  }
}
builtIn("Timeout", Timeout);

// Sorted by due time; among equals the older one is first.
function schedule(timer) {
  timer.due = host.monotonic() + timer.delay;
  timer.active = true;
  let low = 0;
  let high = timers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timers[middle].due <= timer.due) low = middle + 1;
    else high = middle;
  }
  forgetLater(forget);
  timers.splice(low, 0, timer);
  handles.set(timer.id, timer);
  host.wantTurns();
}

function remove(timer) {
  const index = timers.indexOf(timer);
  if (index >= 0) timers.splice(index, 1);
}

function start(callback, delay, repeat, args) {
  if (typeof callback !== "function") {
    throw new TypeError(
      `The "callback" argument must be of type function. Received ${callback === null ? "null" : typeof callback}`,
    );
  }
  const milliseconds = Number(delay);
  const timer = new Timeout(
    callback,
    milliseconds >= 1 && milliseconds <= 0x7fffffff ? Math.trunc(milliseconds) : 1,
    repeat,
    args,
  );
  schedule(timer);
  return timer;
}

function clear(handle) {
  const timer = typeof handle === "object" ? handle : handles.get(Number(handle));
  if (!(timer instanceof Timeout)) return;
  timer.active = false;
  handles.delete(timer.id);
  remove(timer);
}

class Immediate {
  constructor(callback, args) {
    Object.defineProperties(this, { callback: { value: callback, writable: true }, args: { value: args } });
  }
}
builtIn("Immediate", Immediate);

// Runs before all other work.
export function nextTick(callback, ...args) {
  if (typeof callback !== "function") throw new TypeError('The "callback" argument must be of type function');
  if (ticks.length === 0) host.wantTicks();
  forgetLater(forget);
  ticks.push(() => callback(...args));
}

export function runTicks() {
  try {
    while (ticks.length > 0) ticks.shift()();
  } finally {
    // After an exception, the others remain for a later call.
    if (ticks.length > 0) host.wantTicks();
  }
}

// Whether there is work that keeps the program running.
export const waiting = () =>
  ticks.length > 0 || immediates.length > 0 || timers.some((timer) => timer.counts);

// Performs one item of work and returns 0; otherwise returns the milliseconds until the next item, or infinity if there is
// none. `callsArePending` states that there is other work, so that timers fire that do not keep the program running.
export function next(callsArePending) {
  if (!callsArePending && !waiting()) return Infinity;
  if (timers.length > 0) {
    const timer = timers[0];
    const wait = timer.due - host.monotonic();
    if (wait <= 0) {
      timers.shift();
      fire(timer);
      return 0;
    }
    if (immediates.length === 0) return wait;
  }
  if (immediates.length === 0) return Infinity;
  const { callback, args } = immediates.shift();
  callback?.(...args);
  return 0;
}

function fire(timer) {
  if (timer.repeat) schedule(timer);
  else clear(timer);
  timer.callback(...timer.args);
}

export function installTimers() {
  defineAll({
    setTimeout: function setTimeout(callback, delay, ...args) {
      return start(callback, delay, false, args);
    },
    setInterval: function setInterval(callback, delay, ...args) {
      return start(callback, delay, true, args);
    },
    setImmediate: function setImmediate(callback, ...args) {
      const immediate = new Immediate(callback, args);
      forgetLater(forget);
      immediates.push(immediate);
      host.wantTurns();
      return immediate;
    },
    clearTimeout: function clearTimeout(handle) {
      clear(handle);
    },
    clearInterval: function clearInterval(handle) {
      clear(handle);
    },
    clearImmediate: function clearImmediate(handle) {
      if (handle instanceof Immediate) handle.callback = undefined;
    },
    queueMicrotask: function queueMicrotask(callback) {
      if (typeof callback !== "function") throw new TypeError('The "callback" argument must be of type function');
      job(callback);
    },
  });
  promisified("setTimeout", "setTimeout");
  promisified("setImmediate", "setImmediate");
}

// The variants for `util.promisify`. Loaded on first use.
function promisified(name, part) {
  const custom = Symbol.for("nodejs.util.promisify.custom");
  const get = () => host.loadModule("timers_promises")[part];
  Object.defineProperty(globalThis[name], custom, { get, enumerable: false, configurable: true });
}

const resolved = Promise.resolve();
const then = Promise.prototype.then;

// An error in the callback must fail the run, like an unhandled rejection.
function job(callback) {
  then.call(resolved, () => callback());
}
