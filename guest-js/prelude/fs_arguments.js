// What programs pass to `fs`: paths, data with an encoding, flags.

import { Buffer } from "./buffer.js";

import { bytesOf } from "./encoding.js";
import { failure } from "./fs_errors.js";
import { host } from "./host.js";
import { absolute, refusal } from "./working_directory.js";

// A path in any form as text.
function textOf(path) {
  if (path instanceof URL) {
    if (path.protocol !== "file:") throw new TypeError("The URL must be of scheme file");
    path = decodeURIComponent(path.pathname);
  }
  if (path instanceof Uint8Array) path = host.decodeText(path, "utf-8", false, true);
  if (typeof path !== "string") {
    const error = new TypeError(
      `The "path" argument must be of type string or an instance of Buffer or URL. Received ${path === null ? "null" : typeof path}`,
    );
    throw Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
  }
  if (path.includes("\0")) {
    const error = new TypeError("The argument 'path' must be a string, Uint8Array, or URL without null bytes.");
    throw Object.assign(error, { code: "ERR_INVALID_ARG_VALUE" });
  }
  return path;
}

// The absolute path without `.` and `..`, or the error of a path that names no file: an empty one, or one that leaves by `..` what
// is no directory.
export function located(path) {
  const text = textOf(path);
  const code = refusal(text);
  return code === undefined ? { place: absolute(text) } : { code };
}

// The absolute path of what need not exist.
export const placeOf = (path, operation) => {
  const text = textOf(path);
  if (text === "") throw failure("ENOENT", operation, path);
  return absolute(text);
};

export function normalise(path, operation = "open") {
  const { place, code } = located(path);
  if (code !== undefined) throw failure(code, operation, path);
  return place;
}

export function bothOf(source, target, operation) {
  const both = [located(source), located(target)];
  for (const { code } of both) if (code !== undefined) throw failure(code, operation, source, target);
  return both.map(({ place }) => place);
}

export function encodingOf(options) {
  const encoding = typeof options === "string" ? options : options?.encoding;
  if (encoding === undefined || encoding === null || encoding === "buffer") return undefined;
  return encoding;
}

export const bufferOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function checkEncoding(encoding) {
  if (Buffer.isEncoding(encoding)) return;
  throw Object.assign(new TypeError(`The argument 'encoding' is invalid encoding. Received '${encoding}'`), {
    code: "ERR_INVALID_ARG_VALUE",
  });
}

export function decode(bytes, encoding) {
  checkEncoding(encoding);
  if (/^utf-?8$/i.test(encoding)) return host.decodeText(bytes, "utf-8", false, true);
  return bufferOf(bytes).toString(encoding);
}

export function encode(data, encoding = "utf-8") {
  if (typeof data === "string") {
    checkEncoding(encoding);
    return Buffer.from(data, encoding);
  }
  if (ArrayBuffer.isView(data) || data instanceof ArrayBuffer) return bytesOf(data);
  const error = new TypeError(
    `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. ${data === null || typeof data !== "number" ? `Received ${data === null ? "null" : typeof data}` : `Received type number (${data})`}`,
  );
  throw Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
}

// Standard input, which is empty, and the two outputs: no files have their numbers and names.
const STREAMS = { 0: 0, 1: 1, 2: 2, "/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2 };
export const streamOf = (path) => (typeof path === "number" || typeof path === "string" ? STREAMS[path] : undefined);

export function noStream(path) {
  if (typeof path === "number") throw failure("EBADF", "read");
}

// The flags of opening a file and their meaning. Those with `s` are equal to those without.
const FLAGS = { r: "r", "r+": "r+", w: "w", "w+": "w", wx: "wx", "wx+": "wx", a: "a", "a+": "a", ax: "ax", "ax+": "ax" };
const OTHERS = { rs: "r", sr: "r", "rs+": "r+", "sr+": "r+", xw: "wx", "xw+": "wx", xa: "ax", "xa+": "ax" };
Object.assign(FLAGS, OTHERS, { as: "a", sa: "a", "as+": "a", "sa+": "a" });

export function flagOf(flag) {
  if (typeof flag === "string" && Object.hasOwn(FLAGS, flag)) return FLAGS[flag];
  const advice = typeof flag === "number" ? "\nhint: flags are strings here: r+, w, wx, a, ax" : "";
  throw Object.assign(new TypeError(`The argument 'flags' is invalid. Received ${typeof flag === "string" ? `'${flag}'` : String(flag)}${advice}`), {
    code: "ERR_INVALID_ARG_VALUE",
  });
}
