// The prelude: all that programs find in the global object besides the language itself.
//
// It runs once, while the component is built. It must not call `host`, which holds the functions of `src/`, before a run
// begins, nor keep anything that a run would have to be spared. `host` is the parameter of the function around the bundle.

import { takeBack } from "./early.js";
import { beginConsole, installConsole } from "./console.js";
import { installAbsent } from "./absent.js";
import { installErrors, report } from "./errors.js";
import { installTools } from "./tools.js";
import { beginTimers, installTimers, next } from "./timers.js";
import { beginProcess, installProcess } from "./process.js";
import { rewrite } from "./rewrite.js";
import { value } from "./value.js";
import { define } from "./globals.js";

const parse = JSON.parse;

function begin(variables, textBodies) {
  beginConsole();
  beginTimers();
  beginProcess();
  delete globalThis.result;
  for (const [name, json] of variables) define(name, parse(json));
}

export function install() {
  installErrors();
  installConsole();
  installTools();
  installTimers();
  installProcess();
  installAbsent();
  takeBack();
  return { begin, rewrite, next, value, report, module: () => undefined };
}
