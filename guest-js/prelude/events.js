// `events`, from a polyfill, with later additions of Node.

import EventEmitter from "events";

import { inspect } from "./inspect.js";

const { captureRejectionSymbol = Symbol.for("nodejs.rejection"), errorMonitor = Symbol("events.errorMonitor") } =
  EventEmitter;

const aborted = (signal) =>
  Object.assign(new Error("The operation was aborted", { cause: signal.reason }), {
    name: "AbortError",
    code: "ABORT_ERR",
  });

// One event as a promise.
function once(emitter, name, { signal } = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal));
    if (typeof emitter.once !== "function") {
      emitter.addEventListener(name, (event) => resolve([event]), { once: true });
      return;
    }
    const fail = (error) => {
      emitter.removeListener(name, succeed);
      reject(error);
    };
    const succeed = (...args) => {
      emitter.removeListener("error", fail);
      resolve(args);
    };
    emitter.once(name, succeed);
    if (name !== "error") emitter.once("error", fail);
    signal?.addEventListener("abort", () => {
      emitter.removeListener("error", fail);
      fail(aborted(signal));
    });
  });
}

// All events with a name, as an iterator.
function on(emitter, name, { signal, close = [] } = {}) {
  if (signal?.aborted) throw aborted(signal);
  const events = [];
  const waiting = [];
  let failure;
  let finished = false;
  const heard = (...args) => {
    if (waiting.length > 0) waiting.shift().resolve({ value: args, done: false });
    else events.push(args);
  };
  const failed = (error) => {
    if (waiting.length > 0) waiting.shift().reject(error);
    else failure = error;
    finish();
  };
  const finish = () => {
    finished = true;
    emitter.off(name, heard);
    emitter.off("error", failed);
    for (const ending of close) emitter.off(ending, finish);
    for (const { resolve } of waiting.splice(0)) resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  emitter.on(name, heard);
  if (name !== "error") emitter.on("error", failed);
  for (const ending of close) emitter.on(ending, finish);
  signal?.addEventListener("abort", () => failed(aborted(signal)), { once: true });
  return {
    next() {
      if (events.length > 0) return Promise.resolve({ value: events.shift(), done: false });
      if (failure !== undefined) {
        const error = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (finished) return Promise.resolve({ value: undefined, done: true });
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: finish,
    throw: (error) => {
      failed(error);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

// The polyfill's error is less precise than Node's.
const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (name, ...args) {
  if (name === "error") {
    if (this.listenerCount(errorMonitor) > 0) emit.call(this, errorMonitor, ...args);
    if (this.listenerCount("error") === 0) {
      const [error] = args;
      if (Error.isError(error)) throw error;
      const shown = inspect(error);
      throw Object.assign(new Error(`Unhandled error. (${shown})`), { code: "ERR_UNHANDLED_ERROR", context: error });
    }
  }
  return emit.call(this, name, ...args);
};

const { addListener } = EventEmitter.prototype;
for (const method of ["on", "addListener", "once", "prependListener", "prependOnceListener"]) {
  const original = method === "on" ? addListener : EventEmitter.prototype[method];
  EventEmitter.prototype[method] = {
    [method](name, listener) {
      if (typeof listener !== "function") {
        const isNothing = listener === null || listener === undefined;
        const received = isNothing ? `${listener}` : `type ${typeof listener} (${inspect(listener)})`;
        throw Object.assign(
          new TypeError(`The "listener" argument must be of type function. Received ${received}`),
          { code: "ERR_INVALID_ARG_TYPE" },
        );
      }
      return original.call(this, name, listener);
    },
  }[method];
}

Object.assign(EventEmitter, {
  EventEmitter,
  once,
  on,
  errorMonitor,
  captureRejectionSymbol,
  captureRejections: false,
  usingDomains: false,
  getEventListeners: (emitter, name) => emitter.listeners?.(name) ?? [],
  getMaxListeners: (emitter) => emitter.getMaxListeners?.() ?? EventEmitter.defaultMaxListeners,
  setMaxListeners: (count = EventEmitter.defaultMaxListeners, ...emitters) => {
    if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
    for (const emitter of emitters) emitter.setMaxListeners?.(count);
  },
  listenerCount: (emitter, name) => emitter.listenerCount(name),
});

export { EventEmitter };
