// Hints for errors that occur because the sandbox is neither a browser nor Node.

import { aboutMode } from "./call_mode.js";
import { aboutLine, aboutName } from "./commands.js";

const ABSENT = {
  Atomics: "the sandbox has one thread",
  SharedWorker: "the sandbox has one thread",
  window: "there is no browser; globals are in globalThis",
  document: "there is no browser; return or print the content",
  alert: "there is no browser; use console.log",
  prompt: "a program cannot ask a user; the host passes variables",
  localStorage: "only files below /output are kept after a run",
  sessionStorage: "only files below /output are kept after a run",
  Deno: "use fs, fetch and process",
  Bun: "use fs, fetch and process",
  WebAssembly: "programs are JavaScript only",
  axios: "use fetch, http_get or http_post",
  requests: "use fetch, http_get or http_post",
  _: "lodash is not installed; arrays and Object have most of its functions",
};

const ONE_THREAD = "the sandbox has one thread; do the work in this one";
const NO_PROCESSES = "the sandbox has no processes; do the work in the program, or with a tool of the host";
const NO_SOCKETS = "the sandbox has no sockets and nothing can connect to it; use fetch, http_get or http_post";
const FETCH = "use fetch, http_get or http_post";

const MODULES = {
  axios: FETCH,
  got: FETCH,
  superagent: FETCH,
  request: FETCH,
  "node-fetch": "fetch is a global; no import is needed",
  undici: "fetch is a global; no import is needed",
  "form-data": "FormData is a global; no import is needed",
  http: FETCH,
  https: FETCH,
  http2: FETCH,
  net: NO_SOCKETS,
  tls: NO_SOCKETS,
  dgram: NO_SOCKETS,
  dns: NO_SOCKETS,
  "dns/promises": NO_SOCKETS,
  ws: NO_SOCKETS,
  express: NO_SOCKETS,
  child_process: NO_PROCESSES,
  cluster: NO_PROCESSES,
  worker_threads: ONE_THREAD,
  vm: "use eval or new Function",
  v8: "structuredClone copies values; process.memoryUsage returns the size of the memory",
  zlib: "nothing is compressed in the sandbox; fetch decodes what servers compress",
  inspector: "print values instead",
  repl: "a program runs without interactive input",
  tty: "there is no terminal; process.stdout.isTTY is false",
  test: "use assert, and print the results",
  diagnostics_channel: "use events",
  uuid: "crypto.randomUUID creates UUIDs",
  chalk: "util.styleText has colours",
  lodash: "arrays and Object have most of its functions",
  underscore: "arrays and Object have most of its functions",
  moment: "use Date",
  dayjs: "use Date",
};

export function aboutModule(name) {
  const known = name.replace(/^node:/, "");
  return Object.hasOwn(MODULES, known) ? MODULES[known] : undefined;
}

// A hint for an error that ended the program, or undefined. `line` is the text where it occurred, if that is known.
export function hint(error, line) {
  if (error instanceof SyntaxError && line !== undefined) {
    const advice = aboutLine(line);
    if (advice !== undefined) return `hint: ${advice}`;
  }
  if (error instanceof ReferenceError) {
    const name = /^'?([\w$]+)'? is not defined$/.exec(error.message)?.[1];
    const advice = name !== undefined && Object.hasOwn(ABSENT, name) ? ABSENT[name] : aboutName(name);
    return advice === undefined ? undefined : `hint: ${advice}`;
  }
  if (error instanceof TypeError && /bigint/i.test(error.message) && !error.message.includes("hint: "))
    return "hint: integers beyond 2^53 are BigInts; calculate with BigInts (id + 1n), or convert them: Number(id), String(id)";
  const advice = aboutMode(error);
  if (advice !== undefined) return advice;
  if (error.message === "out of memory")
    return "hint: keep less data in memory at a time, or use a higher memory limit";
  return undefined;
}
