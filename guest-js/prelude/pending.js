// Calls that were started and are not complete: `src/pending.rs`.

import { host } from "./host.js";

// For a call that aborting a signal ends: gets the number of the call, and returns a function for its end.
export function watching(signal) {
  if (signal === undefined) return undefined;
  return (call) => {
    const abort = () => host.abandonCall(call, signal.reason);
    // `toJSON` of an argument can abort the signal before the call has its number.
    if (signal.aborted) Promise.resolve().then(abort);
    signal.addEventListener("abort", abort, { once: true });
    return () => signal.removeEventListener("abort", abort);
  };
}
