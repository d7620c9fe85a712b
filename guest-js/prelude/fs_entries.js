// Metadata of files in `fs`: Stats and Dirent.

import { builtIn } from "./globals.js";

export class Stats {
  constructor(kind, size, modified) {
    const date = new Date(modified);
    Object.assign(this, {
      size,
      mode: kind === "directory" ? 0o40755 : 0o100644,
      mtimeMs: modified,
      ctimeMs: modified,
      atimeMs: modified,
      birthtimeMs: modified,
    });
    Object.assign(this, { mtime: date, ctime: date, atime: date, birthtime: date });
    Object.defineProperty(this, "kind", { value: kind });
  }
  isFile() {
    return this.kind === "file";
  }
  isDirectory() {
    return this.kind === "directory";
  }
  isSymbolicLink() {
    return false;
  }
}
builtIn("Stats", Stats);

export class Dirent {
  constructor(name, kind, parentPath) {
    Object.assign(this, { name, parentPath, path: parentPath });
    Object.defineProperty(this, "kind", { value: kind });
  }
  isFile() {
    return this.kind === "file";
  }
  isDirectory() {
    return this.kind === "directory";
  }
  isSymbolicLink() {
    return false;
  }
}
builtIn("Dirent", Dirent);
