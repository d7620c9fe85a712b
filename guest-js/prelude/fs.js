// `fs` without open files, and `read_file`, `read_file_bytes`, `write_file`.

import { encode, normalise } from "./fs_arguments.js";
import { failure } from "./fs_errors.js";
import { ACCESS, constants, kindOf, sync } from "./fs_operations.js";
import { define, defineAll, named } from "./globals.js";
import { host } from "./host.js";

// The same function with a callback for its result.
function withCallback(method) {
  return (...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw new TypeError('The "cb" argument must be of type function');
    let outcome;
    try {
      outcome = [null, method(...args)];
    } catch (error) {
      outcome = [error];
    }
    setImmediate(callback, ...outcome);
  };
}

export const fs = { constants, promises: { constants } };
for (const [name, method] of Object.entries(sync)) {
  fs[`${name}Sync`] = Object.defineProperty((...args) => method(...args), "name", { value: `${name}Sync` });
  fs[name] = Object.defineProperty(withCallback(method), "name", { value: name });
  fs.promises[name] = Object.defineProperty(async (...args) => method(...args), "name", { value: name });
}
fs.existsSync = function existsSync(path) {
  try {
    return kindOf(normalise(path)) !== undefined;
  } catch {
    return false;
  }
};
fs.writeSync = function writeSync(fd, data, ...rest) {
  if (fd !== 1 && fd !== 2) throw failure("EBADF", "write");
  const [offset, length] = typeof data === "string" ? [] : rest;
  const bytes = encode(data);
  const piece = bytes.subarray(offset ?? 0, (offset ?? 0) + (length ?? bytes.length));
  host.write(fd === 2, piece);
  return piece.length;
};
Object.assign(fs, ACCESS);
fs.exists = function exists(path, callback) {
  setImmediate(callback, fs.existsSync(path));
};
Object.defineProperty(fs.exists, Symbol.for("nodejs.util.promisify.custom"), { value: async (path) => fs.existsSync(path) });
fs.realpathSync.native = fs.realpathSync;

// Streams are loaded when a program creates one, because `import` reads all properties of `fs`.
const streams = () => host.loadModule("fs_streams");
fs.createReadStream = function createReadStream(path, options) {
  return streams().createReadStream(path, options);
};
fs.createWriteStream = function createWriteStream(path, options) {
  return streams().createWriteStream(path, options);
};
for (const name of ["ReadStream", "WriteStream"]) {
  const real = () => streams()[name];
  const standIn = named(name, function () {});
  fs[name] = new Proxy(standIn, {
    apply: (_, _this, args) => new (real())(...args),
    construct: (_, args, target) => Reflect.construct(real(), args, target === fs[name] ? real() : target),
    get: (_, key) => real()[key],
    has: (_, key) => key in real(),
  });
}

for (const name of [
  "open",
  "openSync",
  "watch",
  "watchFile",
  "symlink",
  "symlinkSync",
  "link",
  "linkSync",
  "chmod",
  "chmodSync",
]) {
  const refuse = () => {
    throw new Error(
      `fs.${name} does not exist in the sandbox, which has no open files, links or watchers\nhint: readFileSync, writeFileSync, appendFileSync, createReadStream and createWriteStream do`,
    );
  };
  Object.defineProperty(fs, name, { value: refuse, writable: true, configurable: true, enumerable: false });
}

export function installFiles() {
  define("fs", fs);
  defineAll({
    read_file: function read_file(path) {
      return sync.readFile(path, "utf-8");
    },
    read_file_bytes: function read_file_bytes(path) {
      return new Uint8Array(sync.readFile(path).buffer);
    },
    write_file: function write_file(path, content) {
      sync.writeFile(path, content);
    },
  });
}
