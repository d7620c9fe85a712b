// The prelude: all that programs find in the global object besides the language itself.
//
// It runs once, while the component is built. It must not call the host before a run
// begins, nor keep anything that a run would have to be spared.

import { takeBack } from "./early.js";

import { installAbort } from "./abort.js";
import { installAbsent } from "./absent.js";
import { capabilityError, installCapabilities, items, told } from "./capabilities.js";
import { installClone } from "./clone.js";
import { installConsole } from "./console.js";
import { installCrypto } from "./crypto.js";
import { installEncoding } from "./encoding.js";
import { installErrors, report } from "./errors.js";
import { installFetch } from "./fetch.js";
import { installFiles } from "./fs.js";
import { define } from "./globals.js";
import { setHost } from "./host.js";
import { installHttp, useTextBodies } from "./http.js";
import { installIterators } from "./iterators.js";
import { installModules, module } from "./modules.js";
import { installPerformance } from "./performance.js";
import { installProcess } from "./process.js";
import { forgetAll } from "./session.js";
import { installTimers, next, runTicks } from "./timers.js";
import { installTools } from "./tools.js";
import { installUrl } from "./url.js";
import { beginValue, result, unsettledValue, value } from "./value.js";

const { parse } = JSON;

// Before each run but the first. `assigns` says that the program sets `result` somewhere.
function begin(assigns) {
  forgetAll();
  beginValue(assigns);
}

// Before a run that is not quite like others. `variables` holds pairs of a name and JSON.
function configure(variables, textBodies) {
  if (textBodies) useTextBodies();
  for (const [name, json] of variables) define(name, parse(json));
}

// Once, while the component is built. Gives `src/hooks.rs` what it calls.
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
  installIterators();
  installPerformance();
  installProcess();
  installTools();
  installCapabilities();
  installAbsent();
  installModules();
  takeBack();
  return { begin, configure, runTicks, next, result, value, unsettledValue, report, module, items, told, capabilityError };
}
