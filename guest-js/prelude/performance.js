// `performance`: time since the run began.

import { builtIn, define } from "./globals.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";

let began;
let origin;

function forget() {
  began = undefined;
}

// The clocks are read when a program first asks, so that one that does not never waits for them.
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
  toJSON() {
    return { timeOrigin: this.timeOrigin };
  }
}
builtIn("Performance", Performance);

export function installPerformance() {
  define("performance", new Performance());
}
