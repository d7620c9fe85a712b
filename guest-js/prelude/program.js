// Globals about the program: `module`, `exports`, `__filename`, `__dirname`, `import.meta`.

import { define } from "./globals.js";
import { host } from "./host.js";
import { require } from "./modules.js";
import { forgetLater } from "./session.js";
import { workingDirectory } from "./working_directory.js";

let main;

export const programPath = () => {
  const name = host.programName();
  return name.startsWith("/") ? name : `${workingDirectory()}/${name}`;
};

const directory = () => programPath().replace(/\/[^/]*$/, "") || "/";

const address = () => `file://${encodeURI(programPath()).replaceAll("?", "%3F").replaceAll("#", "%23")}`;

class Module {
  constructor(id = "", parent = undefined) {
    this.id = id;
    this.exports = {};
    this.loaded = false;
    this.children = [];
    Object.defineProperty(this, "parent", { value: parent, writable: true, configurable: true });
  }
  get filename() {
    return programPath();
  }
  get path() {
    return directory();
  }
  get paths() {
    return [];
  }
  require(name) {
    return require(name);
  }
}

function forget() {
  main = undefined;
}

// The module of the program.
export function mainModule() {
  if (main === undefined) {
    forgetLater(forget);
    main = new Module(".");
  }
  return main;
}

// A global that is created when a program uses it, and that the program may assign.
function lazily(name, get, set) {
  Object.defineProperty(globalThis, name, {
    get,
    set: set ?? ((value) => define(name, value)),
    enumerable: false,
    configurable: true,
  });
}

function checkedNames(module, from, names) {
  for (const name of names) {
    if (!(name in module))
      throw new SyntaxError(`The requested module '${from}' does not provide an export named '${name}'`);
  }
  return module;
}

const meta = () =>
  // A program that lists all globals and prints each finds this one, too.
  Object.assign(Object.create(null, { toString: { value: () => "[object Object]" } }), {
    dirname: directory(),
    filename: programPath(),
    resolve: (name) => (/^[./]/.test(name) ? new URL(name, address()).href : `node:${name.replace(/^node:/, "")}`),
    url: address(),
  });

// An assignment is valid in the current program only: the next one of the session has a module of its own.
function lazyExports() {
  lazily(
    "exports",
    () => mainModule().exports,
    (value) => {
      forgetLater(lazyExports);
      define("exports", value);
    },
  );
}

export function installProgram() {
  lazily("module", mainModule);
  lazyExports();
  lazily("__filename", programPath);
  lazily("__dirname", directory);
  // These are not identifiers: the engine and `src/rewrite/imports.rs` use them.
  lazily("import.meta", meta);
  define("import.names", checkedNames);
}

export { Module };
