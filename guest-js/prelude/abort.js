// EventTarget and Event, from a polyfill, and AbortController and AbortSignal on top of them.

import { Event, EventTarget, getEventAttributeValue, setEventAttributeValue } from "event-target-shim";

import { builtIn, define, defineAll } from "./globals.js";
import { host } from "./host.js";

const making = Symbol("making");

class AbortSignal extends EventTarget {
  #reason = undefined;
  #aborted = false;
  // The timeout is passed with a request, so that the host ends it in time even if the program is busy.
  #due = Infinity;

  constructor(permission) {
    if (permission !== making) throw new TypeError("Illegal constructor");
    super();
  }

  get aborted() {
    return this.#aborted;
  }
  get reason() {
    return this.#reason;
  }
  get onabort() {
    return getEventAttributeValue(this, "abort");
  }
  set onabort(listener) {
    setEventAttributeValue(this, "abort", listener);
  }

  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason) {
    const signal = new AbortSignal(making);
    AbortSignal.#abort(signal, reason);
    return signal;
  }

  static timeout(milliseconds) {
    const signal = new AbortSignal(making);
    signal.#due = host.monotonic() + Number(milliseconds);
    const abort = () =>
      AbortSignal.#abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    setTimeout(abort, milliseconds).unref();
    return signal;
  }

  static any(signals) {
    const all = [...signals];
    const aborted = all.find((signal) => signal.aborted);
    if (aborted !== undefined) return AbortSignal.abort(aborted.reason);
    const dependent = new AbortSignal(making);
    dependent.#due = Math.min(Infinity, ...all.map((signal) => signal.#due));
    for (const signal of all)
      signal.addEventListener("abort", () => AbortSignal.#abort(dependent, signal.reason), { once: true });
    return dependent;
  }

  static #abort(signal, reason) {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    signal.dispatchEvent(new Event("abort"));
  }

  // The timeout of a request with this signal in milliseconds; infinite without one.
  static timeLeft(signal) {
    return Math.max(0, signal.#due - host.monotonic());
  }

  static Controller = class AbortController {
    #signal = new AbortSignal(making);
    get signal() {
      return this.#signal;
    }
    abort(reason) {
      AbortSignal.#abort(this.#signal, reason);
    }
  };
}

const { Controller, timeLeft } = AbortSignal;

class CustomEvent extends Event {
  #detail;
  constructor(type, options) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }
  get detail() {
    return this.#detail;
  }
}

export function installAbort() {
  delete AbortSignal.Controller;
  delete AbortSignal.timeLeft;
  defineAll({ Event, EventTarget });
  define("CustomEvent", builtIn("CustomEvent", CustomEvent));
  define("AbortController", builtIn("AbortController", Controller));
  define("AbortSignal", builtIn("AbortSignal", AbortSignal));
}

export { AbortSignal, timeLeft };
