// Modules that are files of the sandbox: `require("./helper.js")`, `import("/tmp/helper.mjs")`.

import { Module, failure, forgetLater, host, mainModule, named, programPath, require, workingDirectory } from "isolette:prelude";

const { assign, defineProperty } = Object;
const { parse } = JSON;
const cache = require.cache;

// In bytes. The engine keeps the text of every function.
const LARGEST = 4 << 20;
const MOST = 1000;
// Each level needs several frames of the stack.
const DEEPEST = 100;
const USUAL = [".js", ".json"];
const OTHERS = [".cjs", ".mjs", ".ts", ".mts", ".cts"];
const ENDINGS = [...USUAL, ...OTHERS];
// What TypeScript writes, and what the file is called.
const SOURCES = { ".js": ".ts", ".mjs": ".mts", ".cjs": ".cts" };

// How each file was when it was loaded, and the name of its latest module in the engine, which keeps every module. A file that
// was changed before this run is loaded again.
const known = new Map();
const paths = new Map();
let run = {};
let count = 0;
let depth = 0;

function forget() {
  run = {};
  count = 0;
  depth = 0;
}

const folderOf = (path) => path.replace(/\/[^/]*$/, "") || "/";
const endingOf = (path) => /\.[^./]+$/.exec(path)?.[0] ?? "";
const stateOf = (path) => {
  const status = host.stat(path);
  return typeof status === "string" ? status : `${status.kind} ${status.size} ${status.modified}`;
};
const isKind = (path, kind) => host.stat(path).kind === kind;

function joined(folder, name) {
  const steps = [];
  for (const step of (name.startsWith("/") ? name : `${folder}/${name}`).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}

const address = (path) => `file://${encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23")}`;

function pathOfAddress(name) {
  const url = new URL(name);
  return [decodeURIComponent(url.pathname), url.search + url.hash];
}

// The name of a module in the engine, by its path and what follows a question mark. The same for a whole run.
function identity(path, query) {
  forgetLater(forget);
  const key = path + query;
  const before = known.get(key);
  if (before?.run === run) return before.name;
  const state = stateOf(path);
  const version = before === undefined ? 0 : before.state === state ? before.version : before.version + 1;
  const name = version === 0 ? key : `${key}#${version}`;
  if (before !== undefined && before.state !== state) delete cache[path];
  known.set(key, { run, state, version, name });
  paths.set(name, path);
  return name;
}

const asFile = (path) => {
  if (isKind(path, "file")) return path;
  const source = SOURCES[endingOf(path)];
  const typed = source === undefined ? undefined : path.slice(0, -endingOf(path).length) + source;
  return typed !== undefined && isKind(typed, "file") ? typed : withEnding(path, USUAL);
};

function withEnding(path, endings) {
  const ending = endings.find((each) => isKind(path + each, "file"));
  return ending === undefined ? undefined : path + ending;
}

// What Node does not look for comes last.
const asAny = (path) => asFile(path) ?? asFolder(path) ?? withEnding(path, OTHERS);

function packageAt(folder) {
  const path = joined(folder, "package.json");
  if (!isKind(path, "file")) return undefined;
  try {
    return parse(read(path));
  } catch (error) {
    throw assign(error, { message: `Error parsing ${path}: ${error.message}` });
  }
}

function asFolder(path) {
  if (!isKind(path, "directory")) return undefined;
  const main = packageAt(path)?.main;
  const named = typeof main === "string" ? joined(path, main) : undefined;
  const index = joined(path, "index");
  const found = named === undefined ? undefined : (asFile(named) ?? asFile(joined(named, "index")));
  return found ?? asFile(index) ?? withEnding(index, OTHERS);
}

function missing(name, places, from, code) {
  const where = places.join(" nor ");
  const stack = code === "MODULE_NOT_FOUND" ? `\nRequire stack:\n- ${from}` : ` imported from ${from}`;
  const advice = `there is no ${where}, nor with an ending (${ENDINGS.join(", ")}) or an index file; names that begin with ./ are looked up in the folder of their file, those of the program in ${workingDirectory()}`;
  const error = new Error(`Cannot find module '${code === "MODULE_NOT_FOUND" ? name : places[0]}'${stack}\nhint: ${advice}`);
  return assign(error, code === "MODULE_NOT_FOUND" ? { code, requireStack: [from] } : { code });
}

// The folders in which relative names of a file are looked up: the program's begin where its other relative paths do.
const foldersOf = (from) => {
  if (from !== undefined) return [folderOf(from)];
  const own = folderOf(programPath());
  return own === workingDirectory() ? [own] : [workingDirectory(), own];
};

// The path of the file that `name` means in `from`, which is undefined for the program, and what follows the path.
function find(name, from, code) {
  let query = "";
  let wanted = name;
  if (name.startsWith("file:")) [wanted, query] = pathOfAddress(name);
  const places = wanted.startsWith("/") ? [joined("/", wanted)] : foldersOf(from).map((folder) => joined(folder, wanted));
  const isFolder = /(?:^|\/)\.{0,2}$/.test(wanted);
  for (const place of places) {
    const path = isFolder ? asFolder(place) : asAny(place);
    if (path !== undefined) return [path, query];
  }
  const asked = /^([^?#]+)([?#].*)$/.exec(wanted);
  if (code === "ERR_MODULE_NOT_FOUND" && query === "" && asked !== null) return [find(asked[1], from, code)[0], asked[2]];
  throw missing(name, places, from ?? programPath(), code);
}

function read(path) {
  const bytes = host.readFile(path);
  if (typeof bytes === "string") throw failure(bytes, "open", path);
  if (bytes.length > LARGEST && endingOf(path) !== ".json")
    throw new RangeError(`${path} has ${bytes.length} bytes, and a module can have ${LARGEST}\nhint: read data with fs.readFileSync`);
  return host.decodeText(bytes, "utf-8", false, false).replace(/^#!/, "//");
}

function isTypeOfModule(folder) {
  for (let at = folder; ; at = folderOf(at)) {
    const description = packageAt(at);
    if (description !== undefined) return description?.type === "module";
    if (at === "/") return false;
  }
}

// Whether a file is a module of the standard rather than one of CommonJS.
function isStandard(path, text) {
  const ending = endingOf(path);
  if (ending === ".mjs" || ending === ".mts") return true;
  if (ending === ".cjs" || ending === ".cts" || ending === ".json") return false;
  return host.isModule(text) || isTypeOfModule(folderOf(path));
}

const isTyped = (path) => [".ts", ".mts", ".cts"].includes(endingOf(path));

class FileModule extends Module {
  constructor(path, parent) {
    super(path, parent);
    const own = (value) => ({ value, writable: true, enumerable: true, configurable: true });
    Object.defineProperties(this, { path: own(folderOf(path)), filename: own(path), paths: own([]) });
  }
  require(name) {
    return requireIn(this, name);
  }
}
named("Module", FileModule);

function evaluated(module, path) {
  const text = read(path);
  if (endingOf(path) === ".json") {
    try {
      module.exports = parse(text);
    } catch (error) {
      throw assign(error, { message: `${path}: ${error.message}` });
    }
    return;
  }
  if (isStandard(path, text)) {
    module.exports = host.importNow(identity(path, ""));
    return;
  }
  let body;
  try {
    body = host.compileFunction(isTyped(path) ? host.withoutTypes(text, path, false) : text, path);
  } catch (error) {
    // With `await` outside of functions it is a module of the standard.
    if (!(error instanceof SyntaxError && endingOf(path) === ".js" && /\bawait\b/.test(text))) throw error;
    standard.add(path);
    module.exports = host.importNow(identity(path, ""));
    return;
  }
  body.call(module.exports, module.exports, requireFor(module), module, path, folderOf(path));
}

// Files with `await` outside of functions, and nothing else that shows that they are modules of the standard.
const standard = new Set();

function load(path, parent) {
  identity(path, "");
  const before = cache[path];
  if (before !== undefined) return before.exports;
  if (count >= MOST) throw new RangeError(`a program can load ${MOST} modules`);
  if (depth >= DEEPEST) throw new RangeError(`modules can require each other ${DEEPEST} levels deep`);
  count += 1;
  depth += 1;
  const module = new FileModule(path, parent);
  cache[path] = module;
  parent.children.push(module);
  let isLoaded = false;
  try {
    evaluated(module, path);
    isLoaded = true;
  } finally {
    depth -= 1;
    if (!isLoaded) delete cache[path];
  }
  module.loaded = true;
  return module.exports;
}

const isFile = (name) => /^(?:\.{0,2}\/|file:)|^\.{1,2}$/.test(name);

const fromOf = (module) => (module === mainModule() ? undefined : module.filename);

function requireIn(module, name) {
  if (typeof name !== "string" || !isFile(name)) return require(name);
  return load(find(name, fromOf(module), "MODULE_NOT_FOUND")[0], module);
}

function requireFor(module) {
  const own = function require(name) {
    return requireIn(module, name);
  };
  own.resolve = (name) =>
    isFile(`${name}`) ? find(`${name}`, fromOf(module), "MODULE_NOT_FOUND")[0] : require.resolve(name);
  own.cache = cache;
  defineProperty(own, "main", { get: mainModule, enumerable: true, configurable: true });
  return own;
}

// `createRequire` of the module `module`.
function createRequire(from) {
  const text = from instanceof URL ? from.href : `${from}`;
  const path = text.startsWith("file:") ? pathOfAddress(text)[0] : text;
  if (!path.startsWith("/")) {
    const error = new TypeError(`The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received '${text}'`);
    throw assign(error, { code: "ERR_INVALID_ARG_VALUE" });
  }
  return requireFor(new FileModule(path.endsWith("/") ? `${path}noop.js` : path, undefined));
}

// The name in the engine of what a module imports. `base` is the name of the importing module or program.
function resolve(base, name) {
  // `importNow` already has the name in the engine.
  if (base.startsWith("isolette:") && paths.has(name)) return name;
  const isProgram = !base.startsWith("/") || base === host.programName();
  return identity(...find(name, paths.get(base) ?? (isProgram ? undefined : base), "ERR_MODULE_NOT_FOUND"));
}

const isLoadedAs = (path, text) => standard.has(path) || isStandard(path, text);

// The text of a module for the engine; undefined for one of CommonJS, which the engine imports through `require`.
function source(name) {
  const path = paths.get(name);
  const ending = endingOf(path);
  if (ending === ".json") return `import { require } from "isolette:prelude"; export default require(${JSON.stringify(path)});`;
  const text = read(path);
  if (!isLoadedAs(path, text)) return undefined;
  count += 1;
  if (count > MOST) throw new RangeError(`a program can load ${MOST} modules`);
  return isTyped(path) ? host.withoutTypes(text, path, true) : text;
}

// Fills in `import.meta`.
function describe(meta, name) {
  const path = paths.get(name);
  const url = address(path) + name.slice(path.length).replace(/#\d+$/, "");
  assign(meta, {
    dirname: folderOf(path),
    filename: path,
    resolve: (asked) => (isFile(asked) ? address(find(asked, path, "ERR_MODULE_NOT_FOUND")[0]) : `node:${asked.replace(/^node:/, "")}`),
    url,
  });
}

export default {
  createRequire,
  describe,
  pathOf: (name) => paths.get(name),
  require: (name) => requireIn(mainModule(), name),
  resolve,
  resolvePath: (name) => find(name, undefined, "MODULE_NOT_FOUND")[0],
  source,
};
