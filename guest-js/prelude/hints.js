// What to do about errors that come from the sandbox being neither a browser nor Node.

const ABSENT = {
  Atomics: "the sandbox has one thread",
  SharedWorker: "the sandbox has one thread",
  window: "there is no browser here; globals are in globalThis",
  document: "there is no browser here; return or print what there is to show",
  alert: "there is no browser here; use console.log",
  prompt: "nobody can be asked; the host hands in variables",
  localStorage: "nothing outlives a run but files under /output",
  sessionStorage: "nothing outlives a run but files under /output",
  Deno: "use fs, fetch and process",
  Bun: "use fs, fetch and process",
  WebAssembly: "programs are JavaScript only",
  axios: "use fetch, http_get or http_post",
  requests: "use fetch, http_get or http_post",
  _: "there is no lodash; arrays and Object have most of it",
};

const ONE_THREAD = "the sandbox has one thread; do the work in this one";
const NO_PROCESSES = "the sandbox has no processes; do the work in the program, or by a tool of the host";
const NO_SOCKETS = "the sandbox has no sockets and nothing can connect to it; use fetch, http_get or http_post";
const FETCH = "use fetch, http_get or http_post";

const MODULES = {
  axios: FETCH,
  got: FETCH,
  superagent: FETCH,
  request: FETCH,
  "node-fetch": "fetch is there without being loaded",
  undici: "fetch is there without being loaded",
  "form-data": "FormData is there without being loaded",
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
  v8: "structuredClone copies values; process.memoryUsage says how much memory there is",
  zlib: "nothing is compressed in the sandbox; fetch decodes what servers compress",
  inspector: "print what there is to know",
  repl: "nobody types; the program is run as it is",
  tty: "there is no terminal; process.stdout.isTTY is false",
  test: "use assert, and print what was found",
  diagnostics_channel: "use events",
  uuid: "crypto.randomUUID makes them",
  chalk: "util.styleText has colours",
  lodash: "arrays and Object have most of it",
  underscore: "arrays and Object have most of it",
  moment: "use Date",
  dayjs: "use Date",
};

export function aboutModule(name) {
  if (/^\.{0,2}\//.test(name)) return "a program is one file; what it needs of others has to be written into it";
  const known = name.replace(/^node:/, "");
  return Object.hasOwn(MODULES, known) ? MODULES[known] : undefined;
}

// A line of advice about an error that ended the program, or nothing.
export function hint(error) {
  if (error instanceof ReferenceError) {
    const name = /^'?([\w$]+)'? is not defined$/.exec(error.message)?.[1];
    const advice = name !== undefined && Object.hasOwn(ABSENT, name) ? ABSENT[name] : undefined;
    return advice === undefined ? undefined : `hint: ${advice}`;
  }
  if (error.message === "out of memory")
    return "hint: a run may only use so much memory; keep less at once, or ask for a higher limit";
  return undefined;
}
