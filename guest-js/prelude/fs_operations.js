// The operations of `fs`, each as the function that returns when it is done.

import { Buffer } from "./buffer.js";

import { bothOf, bufferOf, decode, encode, encodingOf, flagOf, located, noStream, normalise, placeOf, streamOf } from "./fs_arguments.js";
import { Dirent, Stats } from "./fs_entries.js";
import { coded, directoryRefused, done, failure, refusedCopy } from "./fs_errors.js";
import { host } from "./host.js";

export const ACCESS = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };
export const constants = { ...ACCESS, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2, COPYFILE_FICLONE_FORCE: 4 };

export function kindOf(path) {
  const status = host.stat(path);
  return typeof status === "string" ? undefined : status.kind;
}

const endsWithSlash = (path) => typeof path === "string" && path.endsWith("/");
const withoutSlash = (path) => (endsWithSlash(path) ? path.replace(/(.)\/+$/, "$1") : path);

const join = (parent, name) => (parent === "/" ? `/${name}` : `${parent}/${name}`);

// `shown` is the path as the program wrote it.
function list(path, operation, shown = path) {
  const entries = host.listDirectory(path);
  if (typeof entries === "string") throw failure(entries, operation, shown);
  return entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
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

export const sync = {
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
    // No file is created with such a name, whether or not there is one without the slash.
    const cannotBe = flag !== "r+" && endsWithSlash(path);
    const place = normalise(cannotBe ? withoutSlash(path) : path);
    if (cannotBe) throw failure("EISDIR", "open", path);
    openForWriting(place, flag, path, bytes);
  },
  appendFile(path, data, options) {
    const all = typeof options === "string" ? { encoding: options } : options;
    sync.writeFile(path, data, { ...all, flag: all?.flag ?? "a" });
  },
  stat(path, options) {
    const { place, code } = located(path);
    const status = code ?? host.stat(place);
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
    const place = options?.recursive ? placeOf(path, "mkdir") : normalise(withoutSlash(path), "mkdir");
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
    const { place, code } = located(path);
    const kind = place === undefined ? undefined : kindOf(place);
    if (kind === undefined) {
      if (options?.force && code !== "ENOTDIR") return;
      throw failure(code ?? "ENOENT", "lstat", path);
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
    const [from, to] = bothOf(source, withoutSlash(target), "copyfile");
    if (endsWithSlash(target)) throw failure("EISDIR", "copyfile", source, target);
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
