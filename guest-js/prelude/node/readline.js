// `readline`, and standard input, which is empty.

import { EventEmitter, forgetLater, named, require } from "isolette:prelude";

const { Readable } = require("stream");

let stdin;

function forget() {
  stdin = undefined;
}

// One for each run: a program that reads it to its end closes it.
function input() {
  if (stdin === undefined) {
    forgetLater(forget);
    stdin = new Readable({ read() {} });
    stdin.push(null);
    const own = stdin;
    Object.assign(own, { fd: 0, isTTY: false, setRawMode: () => own });
  }
  return stdin;
}

const NO_ANSWER = "there is no answer: standard input is empty in the sandbox\nhint: the host passes variables and files";

class Interface extends EventEmitter {
  #rest = "";
  #decoder = new TextDecoder();
  #prompt;
  #questions = [];
  closed = false;
  line = "";
  terminal = false;

  constructor(options, output) {
    super();
    const { input, prompt = "> ", ...others } = options.input === undefined ? { input: options, output } : options;
    this.input = input;
    this.output = others.output;
    this.history = [];
    this.#prompt = prompt;
    if (input === undefined) throw new TypeError('The "input" argument must be an instance of stream.Readable');
    input.on("data", (piece) => this.#read(piece));
    input.on("end", () => {
      if (this.#rest !== "") this.#emitLine(this.#rest);
      this.#rest = "";
      this.close();
    });
    others.signal?.addEventListener("abort", () => this.close(), { once: true });
  }

  #read(piece) {
    const text = this.#rest + (typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true }));
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) this.#emitLine(line);
  }

  #emitLine(line) {
    const question = this.#questions.shift();
    if (question !== undefined) question(line);
    else this.emit("line", line);
  }

  question(query, ...rest) {
    const callback = rest.pop();
    if (this.closed) throw Object.assign(new Error("readline was closed"), { code: "ERR_USE_AFTER_CLOSE" });
    this.output?.write(query);
    if (this.input === input()) throw new Error(NO_ANSWER);
    this.#questions.push(callback);
  }

  prompt() {
    this.output?.write(this.#prompt);
  }
  setPrompt(prompt) {
    this.#prompt = prompt;
  }
  getPrompt() {
    return this.#prompt;
  }
  write(text) {
    if (typeof text === "string") this.#read(text);
  }
  pause() {
    this.input.pause?.();
    return this.emit("pause") && this;
  }
  resume() {
    this.input.resume?.();
    return this;
  }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.input.pause?.();
    this.emit("close");
  }

  [Symbol.asyncIterator]() {
    return lines(EventEmitter.on(this, "line", { close: ["close"] }), this);
  }
}

async function* lines(events, reader) {
  try {
    for await (const [line] of events) yield line;
  } finally {
    reader.close();
  }
}

class PromiseInterface extends Interface {
  question(query) {
    return new Promise((resolve) => super.question(query, resolve));
  }
}
Object.defineProperty(PromiseInterface, "name", { value: "Interface" });

const clear = named("clearLine", (stream, _direction, callback) => {
  callback?.();
  return true;
});

const promises = { createInterface: (...args) => new PromiseInterface(...args), Interface: PromiseInterface };

const readline = {
  createInterface: (...args) => new Interface(...args),
  Interface,
  promises,
  clearLine: clear,
  clearScreenDown: clear,
  cursorTo: clear,
  moveCursor: clear,
  emitKeypressEvents() {},
};
Object.defineProperty(readline, "stdin", { get: input });

export default readline;
