// `fs.createReadStream` and `fs.createWriteStream`: a file is read as a whole and handed out in pieces, and what is written is
// appended piece by piece.

import { fs, require } from "isolette:prelude";

const { Readable, Writable } = require("stream");

class ReadStream extends Readable {
  #content;
  #at;
  #end;
  constructor(path, options = {}) {
    const { encoding, start = 0, end = Infinity, highWaterMark = 65536 } = typeof options === "string" ? { encoding: options } : (options ?? {});
    super({ highWaterMark, encoding });
    this.path = path;
    this.bytesRead = 0;
    this.#at = start;
    this.#end = end;
    this.pending = true;
  }
  _construct(callback) {
    try {
      this.#content = fs.readFileSync(this.path);
    } catch (error) {
      return callback(error);
    }
    this.pending = false;
    callback();
    this.emit("open", 3);
    this.emit("ready");
  }
  _read(size) {
    const piece = this.#content.subarray(this.#at, Math.min(this.#at + size, this.#end + 1));
    this.#at += piece.length;
    this.bytesRead += piece.length;
    // Later, as from a file that is read meanwhile: otherwise pieces would be joined.
    setImmediate(() => this.push(piece.length === 0 ? null : piece));
  }
  close(callback) {
    if (callback) this.once("close", callback);
    this.destroy();
  }
}

class WriteStream extends Writable {
  #flags;
  constructor(path, options = {}) {
    const { encoding = "utf8", flags = "w" } = typeof options === "string" ? { encoding: options } : (options ?? {});
    super({ defaultEncoding: encoding, decodeStrings: true });
    this.path = path;
    this.bytesWritten = 0;
    this.#flags = flags;
    this.pending = true;
  }
  _construct(callback) {
    try {
      if (this.#flags.startsWith("a")) fs.appendFileSync(this.path, "");
      else fs.writeFileSync(this.path, "", { flag: this.#flags });
    } catch (error) {
      return callback(error);
    }
    this.pending = false;
    callback();
    this.emit("open", 3);
    this.emit("ready");
  }
  _write(piece, _encoding, callback) {
    try {
      fs.appendFileSync(this.path, piece);
    } catch (error) {
      return callback(error);
    }
    this.bytesWritten += piece.length;
    callback();
  }
  close(callback) {
    if (callback) this.once("close", callback);
    this.end();
  }
}

export default {
  ReadStream,
  WriteStream,
  createReadStream: (path, options) => new ReadStream(path, options),
  createWriteStream: (path, options) => new WriteStream(path, options),
};
