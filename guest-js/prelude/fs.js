// `fs` without open files, and `read_file`, `read_file_bytes`, `write_file`.

import { Buffer } from "./buffer.js";

import { bytesOf } from "./encoding.js";
import { Dirent, Stats } from "./fs_entries.js";
import { done, failure } from "./fs_errors.js";
import { define, defineAll, named } from "./globals.js";
import { host } from "./host.js";
import { absolute } from "./working_directory.js";

// A path in any form, converted to an absolute one without `.` and `..`. An empty path names no file.
export function normalise(path, operation = "open") {
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
  if (path === "") throw failure("ENOENT", operation, path);
  return absolute(path);
}

function bothOf(source, target, operation) {
  if (source === "" || target === "") throw failure("ENOENT", operation, source, target);
  return [normalise(source), normalise(target)];
}

function encodingOf(options) {
  const encoding = typeof options === "string" ? options : options?.encoding;
  if (encoding === undefined || encoding === null || encoding === "buffer") return undefined;
  return encoding;
}

const bufferOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function checkEncoding(encoding) {
  if (Buffer.isEncoding(encoding)) return;
  throw Object.assign(new TypeError(`The argument 'encoding' is invalid encoding. Received '${encoding}'`), {
    code: "ERR_INVALID_ARG_VALUE",
  });
}

function decode(bytes, encoding) {
  checkEncoding(encoding);
  if (/^utf-?8$/i.test(encoding)) return host.decodeText(bytes, "utf-8", false, true);
  return bufferOf(bytes).toString(encoding);
}

function encode(data, encoding = "utf-8") {
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

function kindOf(path) {
  const status = host.stat(path);
  return typeof status === "string" ? undefined : status.kind;
}

const join = (parent, name) => (parent === "/" ? `/${name}` : `${parent}/${name}`);

// `shown` is the path as the program wrote it.
function list(path, operation, shown = path) {
  const entries = host.listDirectory(path);
  if (typeof entries === "string") throw failure(entries, operation, shown);
  return entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}

// Node's errors that are not system errors.
function directoryRefused(sentence, syscall, reason, path) {
  const error = new Error(`${sentence}: ${syscall} returned EISDIR (${reason}) ${path}`);
  Object.defineProperty(error, "name", { value: "SystemError", writable: true, configurable: true });
  return Object.assign(error, { code: "ERR_FS_EISDIR", errno: 21, syscall, path });
}

const coded = (type, code, message) => Object.assign(new type(message), { code });

function refusedCopy(reason, path) {
  const error = new Error(`Invalid src or dest: cp returned EINVAL (${reason}) ${path}`);
  Object.defineProperty(error, "name", { value: "SystemError", writable: true, configurable: true });
  return Object.assign(error, { code: "ERR_FS_CP_EINVAL", errno: 22, syscall: "cp", path });
}

function removeTree(path, kind, operation) {
  if (kind === "directory") {
    for (const [name, inner] of list(path, operation)) removeTree(join(path, name), inner, operation);
    done(host.removeDirectory(path), operation, path);
  } else {
    done(host.removeFile(path), operation, path);
  }
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

// Standard input, which is empty, and the two outputs: no files have their numbers and names.
const STREAMS = { 0: 0, 1: 1, 2: 2, "/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2 };
const streamOf = (path) => (typeof path === "number" || typeof path === "string" ? STREAMS[path] : undefined);

function noStream(path) {
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

// Opens a file for writing, as far as that has effects. `shown` is the path as the program wrote it.
export function openForWriting(place, flag, shown, bytes) {
  if (flag === "r") throw failure(kindOf(place) === undefined ? "ENOENT" : "EBADF", kindOf(place) === undefined ? "open" : "write", kindOf(place) === undefined ? shown : undefined);
  if (flag === "ax" || flag === "wx") done(host.writeFile(place, bytes, true), "open", shown);
  else if (flag === "a") done(host.appendFile(place, bytes), "open", shown);
  else if (flag === "r+") done(host.writeFileAt(place, 0, bytes), "open", shown);
  else done(host.writeFile(place, bytes, false), "open", shown);
}

// Creating something on a read-only mount fails, whether or not it exists: the host checks the access before the
// existence.
const refusesWriting = (place) => host.createDirectory(place) === "EACCES";

const sync = {
  readFile(path, options) {
    if (streamOf(path) === 0) return encodingOf(options) === undefined ? Buffer.alloc(0) : "";
    noStream(path);
    const place = normalise(path);
    const content = host.readFile(place);
    if (content === "EISDIR") throw failure(content, "read");
    if (typeof content === "string") throw failure(content, "open", path);
    const encoding = encodingOf(options);
    return encoding === undefined ? bufferOf(content) : decode(content, encoding);
  },
  writeFile(path, data, options) {
    const flag = flagOf(options?.flag ?? "w");
    const stream = streamOf(path);
    if (stream > 0) {
      host.write(stream === 2, encode(data, encodingOf(options)));
      return;
    }
    noStream(path);
    const bytes = encode(data, encodingOf(options));
    const place = normalise(path);
    openForWriting(place, flag, path, bytes);
  },
  appendFile(path, data, options) {
    const all = typeof options === "string" ? { encoding: options } : options;
    sync.writeFile(path, data, { ...all, flag: all?.flag ?? "a" });
  },
  stat(path, options) {
    let status = "ENOENT";
    if (path !== "") status = host.stat(normalise(path));
    if (typeof status !== "string") return new Stats(status.kind, status.size, status.modified);
    if (options?.throwIfNoEntry === false && status === "ENOENT") return undefined;
    throw failure(status, "stat", path);
  },
  access(path, mode = 0) {
    const place = normalise(path, "access");
    const status = host.stat(place);
    if (typeof status === "string") throw failure(status, "access", path);
    const runs = (mode & constants.X_OK) !== 0 && status.kind === "file";
    if (runs || ((mode & constants.W_OK) !== 0 && refusesWriting(place))) throw failure("EACCES", "access", path);
  },
  readdir(path, options) {
    const place = normalise(path, "scandir");
    const found = [];
    const walk = (directory, prefix) => {
      for (const [name, kind] of list(directory, "scandir", directory === place ? path : directory)) {
        found.push(options?.withFileTypes ? new Dirent(name, kind, directory) : prefix + name);
        if (options?.recursive && kind === "directory") walk(join(directory, name), `${prefix}${name}/`);
      }
    };
    walk(place, "");
    return found;
  },
  mkdir(path, options) {
    const place = normalise(path, "mkdir");
    if (!options?.recursive) {
      done(host.createDirectory(place), "mkdir", path);
      return undefined;
    }
    let first;
    let at = "";
    for (const step of place.split("/").slice(1)) {
      at += `/${step}`;
      if (kindOf(at) === "directory") continue;
      done(host.createDirectory(at), "mkdir", path);
      first ??= at;
    }
    return first;
  },
  rm(path, options) {
    const place = path === "" ? undefined : normalise(path);
    const kind = place === undefined ? undefined : kindOf(place);
    if (kind === undefined) {
      if (options?.force) return;
      throw failure("ENOENT", "lstat", path);
    }
    if (kind === "directory" && !options?.recursive) {
      throw directoryRefused("Path is a directory", "rm", "is a directory", path);
    }
    removeTree(place, kind, "rm");
  },
  unlink(path) {
    done(host.removeFile(normalise(path, "unlink")), "unlink", path);
  },
  rmdir(path, options) {
    if (options?.recursive) return sync.rm(path, options);
    done(host.removeDirectory(normalise(path, "rmdir")), "rmdir", path);
  },
  rename(source, target) {
    done(host.rename(...bothOf(source, target, "rename")), "rename", source, target);
  },
  copyFile(source, target, mode = 0) {
    const [from, to] = bothOf(source, target, "copyfile");
    // A file cannot share its content with another one.
    if ((mode & constants.COPYFILE_FICLONE_FORCE) !== 0) throw failure("ENOTSUP", "copyfile", source, target);
    const exclusive = (mode & constants.COPYFILE_EXCL) !== 0;
    if (from === to && !exclusive && kindOf(from) === "file") return;
    const content = host.readFile(from);
    if (typeof content === "string") throw failure(content, "copyfile", source, target);
    done(host.writeFile(to, content, exclusive), "copyfile", source, target);
  },
  cp(source, target, options) {
    const [from, to] = bothOf(source, target, "cp");
    const wanted = options?.filter?.(source, target) ?? true;
    if (typeof wanted?.then === "function") {
      throw coded(TypeError, "ERR_INVALID_RETURN_VALUE", "Expected a boolean to be returned from the filter of cp but got a promise\nhint: the filter must answer at once here");
    }
    if (!wanted) return;
    const kind = kindOf(from);
    if (kind === undefined) throw failure("ENOENT", "cp", source, target);
    if (kind !== "directory") {
      if (options?.force === false && kindOf(to) !== undefined) {
        if (options.errorOnExist) throw failure("EEXIST", "cp", source, target);
        return;
      }
      if (from === to) throw refusedCopy("src and dest cannot be the same", to);
      if (kindOf(to) === "directory") {
        throw coded(Error, "ERR_FS_CP_NON_DIR_TO_DIR", `Cannot overwrite directory ${target} with non-directory ${source}`);
      }
      const above = to.slice(0, to.lastIndexOf("/"));
      if (above !== "") sync.mkdir(above, { recursive: true });
      sync.copyFile(from, to, options?.mode);
      if (options?.preserveTimestamps) done(host.setModified(to, host.stat(from).modified), "utime", target);
      return;
    }
    if (!options?.recursive) {
      throw directoryRefused("Recursive option not enabled, cannot copy a directory", "cp", `${source} is a directory (not copied)`, `${source}`);
    }
    if (from === to) throw refusedCopy("src and dest cannot be the same", to);
    if (to.startsWith(from === "/" ? "/" : `${from}/`)) {
      throw refusedCopy(`cannot copy ${source} to a subdirectory of self ${target}`, to);
    }
    if (kindOf(to) === "file") {
      throw coded(Error, "ERR_FS_CP_DIR_TO_NON_DIR", `Cannot overwrite non-directory ${target} with directory ${source}`);
    }
    sync.mkdir(to, { recursive: true });
    // The filter gets paths in the program's form.
    const [shown, copy] = [source, target].map((path) => (typeof path === "string" ? path.replace(/(.)\/+$/, "$1") : normalise(path)));
    for (const [name] of list(from, "scandir")) sync.cp(join(shown, name), join(copy, name), options);
  },
  mkdtemp(prefix) {
    for (;;) {
      const letters = Array.from(host.randomBytes(6), (byte) => LETTERS[byte % LETTERS.length]).join("");
      const code = host.createDirectory(normalise(`${prefix}${letters}`));
      if (code === "EEXIST") continue;
      done(code, "mkdtemp", `${prefix}XXXXXX`);
      return `${prefix}${letters}`;
    }
  },
  realpath(path) {
    // Like Node resolves it: an empty path is the working directory.
    const place = normalise(path === "" ? "." : path);
    const status = host.stat(place);
    if (typeof status === "string") throw failure(status, "lstat", place);
    return place;
  },
  truncate(path, size = 0) {
    done(host.resize(normalise(path), size), "open", path);
  },
  utimes(path, _accessed, modified) {
    const milliseconds = modified instanceof Date ? modified.getTime() : Number(modified) * 1000;
    done(host.setModified(normalise(path, "utime"), milliseconds), "utime", path);
  },
};
// There are no links, so both return the same; but each has its own name.
sync.lstat = (path, options) => {
  try {
    return sync.stat(path, options);
  } catch (error) {
    throw error.syscall === "stat" ? failure(error.code, "lstat", path) : error;
  }
};

const ACCESS = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };
const constants = { ...ACCESS, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2, COPYFILE_FICLONE_FORCE: 4 };

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
