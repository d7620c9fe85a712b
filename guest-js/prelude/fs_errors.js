// Errors of `fs`, in the form of Node's.

const MESSAGES = {
  EACCES: "permission denied",
  EBADF: "bad file descriptor",
  EBUSY: "resource busy or locked",
  EEXIST: "file already exists",
  EFBIG: "file too large",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ENOSPC: "no space left on device",
  ENOTSUP: "operation not supported",
  EXDEV: "cross-device link not permitted",
};
const NUMBERS = {
  EACCES: -13,
  EBADF: -9,
  EBUSY: -16,
  EEXIST: -17,
  EFBIG: -27,
  EINVAL: -22,
  EIO: -5,
  EISDIR: -21,
  ELOOP: -40,
  EMFILE: -24,
  ENAMETOOLONG: -36,
  ENOENT: -2,
  ENOTDIR: -20,
  ENOTEMPTY: -39,
  ENOSPC: -28,
  ENOTSUP: -95,
  EXDEV: -18,
};

export function failure(code, operation, path, target) {
  const place = target === undefined ? (path === undefined ? "" : ` '${path}'`) : ` '${path}' -> '${target}'`;
  const error = new Error(`${code}: ${MESSAGES[code] ?? "unknown error"}, ${operation}${place}`);
  return Object.assign(
    error,
    { errno: NUMBERS[code] ?? -1, code, syscall: operation },
    path === undefined ? {} : { path },
    target === undefined ? {} : { dest: target },
  );
}

// Throws if the host returned the name of an error.
export function done(code, operation, path, target) {
  if (typeof code === "string") throw failure(code, operation, path, target);
}

// Node's errors that are not system errors.
export function directoryRefused(sentence, syscall, reason, path) {
  const error = new Error(`${sentence}: ${syscall} returned EISDIR (${reason}) ${path}`);
  Object.defineProperty(error, "name", { value: "SystemError", writable: true, configurable: true });
  return Object.assign(error, { code: "ERR_FS_EISDIR", errno: 21, syscall, path });
}

export const coded = (type, code, message) => Object.assign(new type(message), { code });

export function refusedCopy(reason, path) {
  const error = new Error(`Invalid src or dest: cp returned EINVAL (${reason}) ${path}`);
  Object.defineProperty(error, "name", { value: "SystemError", writable: true, configurable: true });
  return Object.assign(error, { code: "ERR_FS_CP_EINVAL", errno: 22, syscall: "cp", path });
}
