// What to do about errors that come from the sandbox being neither a browser nor Node.

const ABSENT = {
  Intl: "format numbers with toFixed and padStart, and dates with toISOString and the getUTC methods",
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
  module: "the value of a program is `result`, a top-level return or its last expression; nothing is exported",
  exports: "the value of a program is `result`, a top-level return or its last expression; nothing is exported",
  __dirname: "there is no directory of the program; paths are absolute",
  __filename: "there is no file of the program; paths are absolute",
  WebAssembly: "programs are JavaScript only",
  axios: "use fetch, http_get or http_post",
  requests: "use fetch, http_get or http_post",
  _: "there is no lodash; arrays and Object have most of it",
};

const MODULES = {
  axios: "use fetch, http_get or http_post",
  "node-fetch": "fetch is there without being loaded",
  undici: "fetch is there without being loaded",
  http: "use fetch, http_get or http_post",
  https: "use fetch, http_get or http_post",
  net: "the sandbox has no sockets; use fetch, http_get or http_post",
  child_process: "the sandbox has no processes",
  worker_threads: "the sandbox has one thread",
  os: "the sandbox is no computer to ask about",
  stream: "read and write whole files with fs",
  readline: "there is nobody at a keyboard; the host hands in variables and files",
  lodash: "arrays and Object have most of it",
};

export const aboutModule = (name) => MODULES[name.replace(/^node:/, "")];

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
