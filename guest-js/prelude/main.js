// The prelude: all globals besides the language itself.
//
// It runs once, while the component is built. It must not call the host before a run starts, nor keep state that a run
// must not see.

import { removeDefined } from "./early.js";

import { installAbort } from "./abort.js";
import { installAbsent } from "./absent.js";
import { capabilityError, installCapabilities, items, errorText } from "./capabilities.js";
import { setModes } from "./call_mode.js";
import { installClone } from "./clone.js";
import { installConsole } from "./console.js";
import { installCrypto } from "./crypto.js";
import { useDialect } from "./dialects.js";
import { installEncoding } from "./encoding.js";
import { installErrors, report } from "./errors.js";
import { installFetch } from "./fetch.js";
import { installFiles } from "./fs.js";
import { define } from "./globals.js";
import { host, setHost } from "./host.js";
import { installHttp, useTextBodies } from "./http.js";
import { installIntl } from "./intl.js";
import { installIterators } from "./iterators.js";
import { installLazyGlobals } from "./lazy_globals.js";
import { describe, installModules, module, resolve } from "./modules.js";
import { installPerformance } from "./performance.js";
import { end, installProcess, uncaught } from "./process.js";
import { installProgram } from "./program.js";
import { keepWeb } from "./own/web.js";
import { forgetAll } from "./session.js";
import { installTimers, next, runTicks, waiting } from "./timers.js";
import { decodeExact, encodeArguments } from "./tool_values.js";
import { failure, installTools } from "./tools.js";
import { installUrl } from "./url.js";
import { beginValue, result, unsettledValue, value } from "./value.js";

// Called before each run except the first. `assigns` states that the program assigns `result`.
function begin(assigns) {
  forgetAll();
  beginValue(assigns);
}

// Called before a run with variables or other special settings. `variables` contains pairs of a name and JSON.
function configure(variables, textBodies, toolCalls, interfaceCalls, dialect, firstLine) {
  if (textBodies) useTextBodies();
  setModes(toolCalls, interfaceCalls);
  if (dialect !== "isolette") useDialect(dialect, firstLine);
  for (const [name, json] of variables) {
    // A variable that an earlier program declared with `var` can only be assigned.
    const value = host.parseExact(json, `variable '${name}'`);
    if (Object.getOwnPropertyDescriptor(globalThis, name)?.configurable === false) globalThis[name] = value;
    else define(name, value);
  }
}

// Called once, while the component is built. Returns the functions for `src/hooks.rs`.
export function install(functions) {
  setHost(functions);
  installErrors();
  installConsole();
  installEncoding();
  installUrl();
  installTimers();
  installAbort();
  installClone();
  installCrypto();
  installFetch();
  installFiles();
  installHttp();
  installIntl();
  installIterators();
  installPerformance();
  installProcess();
  installProgram();
  installTools();
  installCapabilities();
  installAbsent();
  installModules();
  installLazyGlobals();
  removeDefined();
  keepWeb();
  return { begin, configure, runTicks, next, uncaught, end, waiting, result, value, unsettledValue, report, module, resolve, describe, items, errorText, capabilityError, toolError: failure, encodeArguments, decodeExact };
}

// For modules that are loaded later: `node/`.
export { bytesOf } from "./encoding.js";
export { Blob, bytesOfBlob, File } from "./blob.js";
export { Buffer } from "./buffer.js";
export { EventEmitter } from "./events.js";
export { done, failure } from "./fs_errors.js";
export { fs } from "./fs.js";
export { flagOf, normalise } from "./fs_arguments.js";
export { openForWriting } from "./fs_operations.js";
export { builtIn, define, named } from "./globals.js";
export { host } from "./host.js";
export { format, formatWithOptions, inspect, util as inspection } from "./inspect.js";
export { require } from "./modules.js";
export { Module, mainModule, programPath } from "./program.js";
export { forgetLater } from "./session.js";
export { table } from "./table.js";
export * from "./own/language.js";
export {
  AbortController, AbortSignal, Event, EventTarget, FormData, Headers, Request, Response, TextDecoder, TextEncoder,
  URL, atob, btoa, clearImmediate, clearInterval, clearTimeout, console, crypto, fetch, performance,
  process, queueMicrotask, setImmediate, setInterval, setTimeout, structuredClone,
  crypto as webcrypto,
} from "./own/web.js";
export { URLSearchParams } from "./url.js";
export { workingDirectory } from "./working_directory.js";
