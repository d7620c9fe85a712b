// Globals of programs that are written for another vendor's sandbox (`dialect` in policies). They exist besides the usual ones.

import { bytesOf } from "./encoding.js";
import { fs } from "./fs.js";
import { define, named } from "./globals.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";
import { listing } from "./tool_namespaces.js";
import { call_tool_async } from "./tools.js";
import { workingDirectory } from "./working_directory.js";

const { parse, stringify } = JSON;

// A name as these dialects write it: all in one, without namespaces.
const flat = (name) => name.replace(/[^A-Za-z0-9]/gu, "_");

// Every tool by its flat name, as a function that returns a promise. Other names are those of `otherwise`.
function functions(otherwise) {
  let known;
  const all = () => (known ??= new Map(listing().map((name) => [flat(name), name])));
  const made = new Map();
  const member = (key) => {
    if (!made.has(key)) made.set(key, named(key, (args) => call_tool_async(all().get(key), args)));
    return made.get(key);
  };
  return new Proxy(otherwise, {
    get: (target, key) => (typeof key === "string" && all().has(key) ? member(key) : Reflect.get(target, key)),
    has: (target, key) => all().has(key) || Reflect.has(target, key),
    ownKeys: () => [...all().keys()],
    getOwnPropertyDescriptor: (target, key) =>
      all().has(key) ? { value: member(key), writable: false, enumerable: true, configurable: true } : undefined,
  });
}

// Characters of a token, as in the estimates of the host.
const TOKEN = 4;
let room = Infinity;
let isOmitting = false;
let images = 0;
// `tools` of a session, made once.
let withFlatNames;

function forget() {
  room = Infinity;
  isOmitting = false;
  images = 0;
}

function write(line) {
  if (isOmitting) return;
  if (line.length <= room) {
    room -= line.length;
    host.write(false, `${line}\n`);
    return;
  }
  isOmitting = true;
  if (room > 0) host.write(false, `${line.slice(0, room)}\n`);
  host.write(false, "[further output is beyond max_output_tokens and is omitted]\n");
}

const shown = (value) => (typeof value === "string" ? value : (stringify(value) ?? `${value}`));

function text(value) {
  write(shown(value));
}

const DATA = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s;

// Images as data are files of the run; those elsewhere are named.
function image(value) {
  const given = value?.image_url?.url ?? value?.image_url ?? value?.url ?? value;
  const source = typeof value?.data === "string" ? `data:${value.mimeType};base64,${value.data}` : given;
  if (typeof source !== "string")
    throw new TypeError("image takes a URL, a data URL, or an object with `image_url`, or with `data` and `mimeType`");
  const data = DATA.exec(source);
  if (data === null) {
    if (!/^https?:/.test(source)) throw new TypeError("image takes an http, https or base64 data URL");
    write(`[image: ${source}]`);
    return;
  }
  const [, type, encoded] = data;
  const bytes = bytesOf(Buffer.from(encoded, "base64"));
  if (workingDirectory() !== "/output") {
    write(`[image: ${type}, ${bytes.length} bytes; there is no /output to keep it]`);
    return;
  }
  images += 1;
  const path = `/output/image-${images}.${type.split("/")[1].replace(/\+.*$/, "").replace("jpeg", "jpg")}`;
  fs.writeFileSync(path, bytes);
  write(`[image: ${path}]`);
}

// Values that the programs of a session pass on, as JSON.
const stored = new Map();

function store(key, value) {
  if (typeof key !== "string") throw new TypeError("store takes a text as key");
  const json = stringify(value);
  if (json === undefined) throw new TypeError(`store cannot keep a ${typeof value}: values are kept as JSON`);
  stored.set(key, json);
}

const load = (key) => (stored.has(key) ? parse(stored.get(key)) : undefined);

const PRAGMA = /^\/\/\s*@exec:(.*)$/;
const OPTIONS = ["yield_time_ms", "max_output_tokens"];

// `// @exec: {"max_output_tokens": 1000}` in the first line. Programs run to their end, so there is nothing to yield.
function readPragma(line) {
  const options = PRAGMA.exec(line)?.[1];
  if (options === undefined) return;
  let given;
  try {
    given = parse(options);
  } catch {}
  const isValid = ([name, value]) => OPTIONS.includes(name) && Number.isSafeInteger(value) && value >= 0;
  if (given === null || typeof given !== "object" || !Object.entries(given).every(isValid)) {
    throw new SyntaxError(
      `the pragma \`// @exec:\` takes a JSON object with numbers for ${OPTIONS.join(" and ")}, not ${options.trim()}`,
    );
  }
  if (given.max_output_tokens !== undefined) room = given.max_output_tokens * TOKEN;
}

function allTools() {
  return host.listTools().map(({ name, description }) => ({ name: flat(name), description }));
}

// Sets the globals of a dialect. `firstLine` is that of the program.
export function useDialect(dialect, firstLine) {
  forgetLater(forget);
  if (dialect === "cloudflare") {
    define("codemode", functions({}));
    return;
  }
  withFlatNames ??= functions(globalThis.tools);
  define("tools", withFlatNames);
  define("text", text);
  define("image", image);
  if (dialect !== "codex") return;
  define("store", store);
  define("load", load);
  define("notify", named("notify", (value) => text(value)));
  define("yield_control", named("yield_control", async () => {}));
  define("exit", named("exit", () => process.exit(0)));
  Object.defineProperty(globalThis, "ALL_TOOLS", { get: allTools, configurable: true, enumerable: false });
  readPragma(firstLine);
}
