// Errors for programs and people: a stack with the program's own frames, and a report with the line of the source.

import { hint } from "./hints.js";
import { host } from "./host.js";
import { inspect } from "./inspect.js";

// The file names of the prelude.
const PRELUDE = "isolette:";
const WIDEST_LINE = 160;
const builtInNames = new Set([
  "Error",
  "AggregateError",
  "EvalError",
  "InternalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
]);
const native = Object.getOwnPropertyDescriptor(Error.prototype, "stack");

// One line of the engine's stack: `    at name (file:line:column)`, `    at name (native)` or `    at file:line:column`.
function parseFrame(text) {
  const open = text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  const name = open < 0 ? "" : text.slice(7, open);
  const place = open < 0 ? text.slice(7) : text.slice(open + 2, -1);
  const match = /^(.*):(\d+):(\d+)$/s.exec(place);
  if (match === null) return undefined;
  const [line, column] = [Number(match[2]), Number(match[3])];
  // A file that was changed and loaded again has a number.
  const file = match[1].startsWith("/") ? match[1].replace(/#\d+$/, "") : match[1];
  // Positions of programs that were compiled from TypeScript are mapped to the source.
  const [sourceLine, sourceColumn] = host.originalPlace(file, line, column) ?? [line, column];
  return { name, file, line: sourceLine, column: sourceColumn };
}

function constructorNames(error) {
  const names = new Set();
  for (let type = error.constructor; typeof type === "function" && type !== Error; type = Object.getPrototypeOf(type))
    names.add(type.name);
  return names;
}

// The program's frames, innermost first, without the constructors of the error.
function frames(error) {
  const raw = native.get.call(error);
  if (typeof raw !== "string") return [];
  const own = raw
    .split("\n")
    .map(parseFrame)
    .filter((frame) => frame !== undefined && !frame.file.startsWith(PRELUDE) && !frame.file.startsWith("<"));
  const names = constructorNames(error);
  let first = 0;
  while (first < own.length && names.has(own[first].name)) first += 1;
  return own.slice(first === own.length ? 0 : first);
}

function show({ name, file, line, column }) {
  const place = `${file}:${line}:${column}`;
  return name === "" || name.startsWith("<") ? `    at ${place}` : `    at ${name} (${place})`;
}

function header(error) {
  const name = error.name === undefined ? "Error" : `${error.name}`;
  const message = error.message === undefined ? "" : `${error.message}`;
  if (name === "" || message === "") return name + message;
  return `${name}: ${message}`;
}

function kindOf(error) {
  const name = typeof error.name === "string" ? error.name : "";
  const type = error.constructor?.name;
  if (name !== "" && !builtInNames.has(name)) return name;
  return typeof type === "string" && type !== "" ? type : name || "Error";
}

const lineOf = (code, line) => code.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1];

function excerpt(code, line, column) {
  const text = lineOf(code, line);
  if (text === undefined || text.trim() === "") return "";
  // The replacement of an import may have been longer than the line.
  if (column > text.length + 1) column = 1;
  const from = column > WIDEST_LINE ? column - WIDEST_LINE / 2 : 0;
  const shown = text.slice(from, from + WIDEST_LINE).replaceAll("\t", " ");
  return `${shown}\n${" ".repeat(Math.max(0, column - 1 - from))}^\n`;
}

// A thrown value can be anything: its properties may return any value, or throw.
function safely(ask, otherwise) {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

const shown = (value) =>
  safely(
    () => inspect(value),
    safely(() => Object.prototype.toString.call(value), "[object]"),
  );

function reportValue(thrown) {
  const text = typeof thrown === "string" ? thrown : shown(thrown);
  const kind = thrown === null || thrown === undefined ? thrown : safely(() => thrown.constructor.name, typeof thrown);
  const message = safely(() => (typeof thrown.message === "string" ? thrown.message : text), text);
  return { kind: `${kind}`, message, line: undefined, traceback: `Uncaught ${shown(thrown)}` };
}

// The place of a frame with the line of its source, if that is the program or a file that it has loaded.
function heading(frame, filename, code) {
  if (frame === undefined || !(frame.file === filename || frame.file.startsWith("/"))) return "";
  const text = frame.file === filename ? code : host.decodeText(host.readFile(frame.file), "utf-8", false, false);
  return `${frame.file}:${frame.line}\n${excerpt(text, frame.line, frame.column)}\n`;
}

// The report to the host when an exception has ended the program.
export function report(thrown, filename, code) {
  if (!Error.isError(thrown)) return reportValue(thrown);
  const kind = safely(() => kindOf(thrown), "Error");
  const own = safely(() => frames(thrown), []);
  const place = own.find((frame) => frame.file === filename);
  const advice = safely(() => hint(thrown, place && lineOf(code, place.line)), undefined);
  const added = advice === undefined ? "" : `\n${advice}`;
  const message = safely(() => `${thrown.message}`, "") + added;
  const head = safely(() => heading(own[0], filename, code), "") || heading(place, filename, code);
  const text = safely(() => inspect(thrown), message === "" ? kind : `${kind}: ${message}`);
  // Node puts errors without a position into brackets.
  const isBare = place === undefined && text.startsWith("[") && text.endsWith("]");
  return { kind, message, line: place?.line, traceback: (isBare ? text.slice(1, -1) : head + text) + added };
}

export function installErrors() {
  Error.stackTraceLimit = 64;
  Object.defineProperty(Error.prototype, "stack", {
    get() {
      if (!Error.isError(this)) return undefined;
      return [header(this), ...frames(this).map(show)].join("\n");
    },
    set: native.set,
    configurable: true,
    enumerable: false,
  });
}
