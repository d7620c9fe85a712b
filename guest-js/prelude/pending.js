// Calls that were started and are not complete. Each has a ticket, and a promise that is settled while the program waits.

import { host } from "./host.js";
import { forgetLater } from "./session.js";

let pending = new Map();

function forget() {
  pending = new Map();
}

// Whether a call is pending, which keeps the program running.
export const arePending = () => pending.size > 0;

// The promise of a started call. `finish` returns its value, or throws. Aborting the signal ends the call.
export function promised(ticket, finish, signal) {
  forgetLater(forget);
  host.wantTurns();
  const own = pending;
  return new Promise((resolve, reject) => {
    const abort = () => {
      // A call of the next program of a session may have the same ticket.
      if (own === pending && pending.delete(ticket)) host.cancelTicket(ticket);
      reject(signal.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    pending.set(ticket, () => {
      signal?.removeEventListener("abort", abort);
      try {
        resolve(finish(ticket));
      } catch (error) {
        reject(error);
      }
    });
  });
}

// Waits for calls, for at most this number of milliseconds, and settles the promises of those that have completed.
export function settle(milliseconds) {
  for (const ticket of host.waitForTickets(milliseconds)) {
    const finish = pending.get(ticket);
    pending.delete(ticket);
    finish?.();
  }
}
