// `performance`: time since the run began.

import { builtIn, define } from "./globals.js";
import { host } from "./host.js";

let began;
let origin;

export function beginPerformance() {
  began = undefined;
}

// The clocks are read when a program first asks, so that one that does not never waits for them.
function start() {
  if (began !== undefined) return;
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
