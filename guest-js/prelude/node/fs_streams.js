// `fs.createReadStream` and `fs.createWriteStream`: a file is read as a whole and returned in chunks; chunks are
// written immediately, each at its position.

import { Buffer, done, flagOf, fs, host, normalise, openForWriting, require } from "isolette:prelude";

import { invalidType, outOfRange } from "./lib/errors.js";

const { Readable, Writable } = require("stream");

function checkPlace(name, value) {
  if (value === undefined || value === Infinity) return;
  if (typeof value !== "number") throw invalidType(name, "number", value);
  if (!Number.isSafeInteger(value) || value < 0) throw outOfRange(name, `>= 0 && <= ${Number.MAX_SAFE_INTEGER}`, value);
}

function refuseOpenFile(options) {
  if (options?.fd === undefined || options.fd === null) return;
  throw new Error("the option fd does not exist in the sandbox, which has no open files\nhint: give the path");
}

class ReadStream extends Readable {
  #content;
  #at;
  #end;
  constructor(path, options = {}) {
    const { encoding, start = 0, end = Infinity, highWaterMark = 65536 } = typeof options === "string" ? { encoding: options } : (options ?? {});
    refuseOpenFile(options);
    checkPlace("start", start);
    checkPlace("end", end);
    if (start > end) throw outOfRange("start", `<= "end" (here: ${end})`, start);
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
    // Asynchronously, like a real file: otherwise chunks would be joined.
    setImmediate(() => this.push(piece.length === 0 ? null : piece));
  }
  close(callback) {
    if (callback) this.once("close", callback);
    this.destroy();
  }
}

class WriteStream extends Writable {
  #flag;
  #place;
  #at;
  constructor(path, options = {}) {
    const { encoding = "utf8", flags = "w", start, highWaterMark } = typeof options === "string" ? { encoding: options } : (options ?? {});
    refuseOpenFile(options);
    checkPlace("start", start);
    super({ defaultEncoding: encoding, decodeStrings: true, highWaterMark });
    this.path = path;
    this.bytesWritten = 0;
    this.flags = flags;
    this.#flag = flagOf(this.flags);
    this.#at = start ?? 0;
    this.pending = true;
  }
  _construct(callback) {
    try {
      this.#place = normalise(this.path);
      openForWriting(this.#place, this.#flag, this.path, Buffer.alloc(0));
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
      // A file that is opened for appending is written at its end, independent of `start`.
      if (this.#flag.startsWith("a")) done(host.appendFile(this.#place, piece), "write");
      else done(host.writeFileAt(this.#place, this.#at, piece), "write");
    } catch (error) {
      return callback(error);
    }
    this.#at += piece.length;
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
