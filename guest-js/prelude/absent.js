// Globals that do not exist in a sandbox, with the reason. `typeof` reports "undefined" for them.

import { define, named } from "./globals.js";

const REASONS = {
  Worker: "the sandbox has one thread; do the work in this one",
  SharedWorker: "the sandbox has one thread; do the work in this one",
  WebSocket: "the sandbox has no sockets; fetch and http_get make HTTP requests",
  EventSource: "the sandbox has no sockets; fetch and http_get make HTTP requests",
  XMLHttpRequest: "use fetch or http_get",
};

export function installAbsent() {
  for (const [name, reason] of Object.entries(REASONS)) {
    define(
      name,
      named(name, function () {
        throw new Error(`${name} does not exist in the sandbox\nhint: ${reason}`);
      }),
    );
  }
  define("global", globalThis);
}
