// `timers/promises`.

import {
  clearImmediate as never,
  clearTimeout as stop,
  setImmediate as soon,
  setTimeout as start,
} from "isolette:prelude";

const aborted = (signal) =>
  Object.assign(new Error("The operation was aborted", { cause: signal.reason }), { name: "AbortError", code: "ABORT_ERR" });


function waiting(begin, end) {
  return (value, { signal, ref = true } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted(signal));
      const abort = () => {
        end(handle);
        reject(aborted(signal));
      };
      const handle = begin(() => {
        signal?.removeEventListener("abort", abort);
        resolve(value);
      });
      if (!ref) handle.unref?.();
      signal?.addEventListener("abort", abort, { once: true });
    });
}

const setTimeout = (delay, value, options) => waiting((callback) => start(callback, delay), stop)(value, options);
const setImmediate = (value, options) => waiting(soon, never)(value, options);

async function* setInterval(delay, value, options) {
  while (true) {
    await setTimeout(delay, undefined, options);
    yield value;
  }
}

export default {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: { wait: (delay, options) => setTimeout(delay, undefined, options), yield: () => setImmediate() },
};
