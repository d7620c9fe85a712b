// `process`, as far as it makes sense in a sandbox.

import { EventEmitter } from "./events.js";
import { define } from "./globals.js";
import { host } from "./host.js";
import { mainModule, programPath } from "./program.js";
import { forgetLater } from "./session.js";
import { nextTick } from "./timers.js";
import { changeDirectory, workingDirectory } from "./working_directory.js";

// The version of Node whose behaviour programs get.
const NODE = "20.20.2";

// Events that occur in a sandbox. `src/event_loop.rs` emits them if a program listens.
const EVENTS = new Set(["exit", "beforeExit", "uncaughtException", "uncaughtExceptionMonitor", "unhandledRejection"]);

let exitCode;
let exiting = false;
let argv;
let process;

function exit(code) {
  if (code !== undefined) process.exitCode = code;
  emitExit(exitCode ?? 0);
  host.exit(Number(exitCode ?? 0) | 0);
}

// Called once at the end of the program, in each case.
function emitExit(code) {
  if (exiting || process.listenerCount("exit") === 0) return;
  exiting = true;
  process.emit("exit", code);
}

// Called by `src/hooks.rs`.
export function end(last, code) {
  if (last) {
    if (code !== 0) exitCode = code;
    emitExit(code);
  } else if (process.listenerCount("beforeExit") > 0) process.emit("beforeExit", code);
}

// Called by `src/hooks.rs`. Returns whether the program has a listener for the error.
export function uncaught(error, rejected) {
  if (exiting) return false;
  if (rejected && process.listenerCount("unhandledRejection") > 0) {
    const promise = Promise.reject(error);
    promise.catch(() => {});
    process.emit("unhandledRejection", error, promise);
    return true;
  }
  const origin = rejected ? "unhandledRejection" : "uncaughtException";
  if (process.listenerCount("uncaughtExceptionMonitor") > 0) process.emit("uncaughtExceptionMonitor", error, origin);
  if (process.listenerCount("uncaughtException") === 0) return false;
  process.emit("uncaughtException", error, origin);
  return true;
}

function forget() {
  exitCode = undefined;
  exiting = false;
  argv = undefined;
  process.removeAllListeners();
}

function stream(toStderr, fd) {
  const events = new EventEmitter();
  const own = {
    fd,
    isTTY: false,
    columns: 80,
    writable: true,
    write(content, ...rest) {
      host.write(toStderr, typeof content === "string" || content instanceof Uint8Array ? content : `${content}`);
      const callback = rest.find((argument) => typeof argument === "function");
      if (callback !== undefined) nextTick(callback);
      return true;
    },
    end(content, ...rest) {
      if (typeof content === "function") nextTick(content);
      else if (content !== undefined && content !== null) this.write(content, ...rest);
      else nextTick(() => rest.find((argument) => typeof argument === "function")?.());
      // Callers that wait for the end of their writes are notified; the stream itself continues.
      nextTick(() => {
        events.emit("finish");
        events.emit("close");
      });
      return this;
    },
    cork() {},
    uncork() {},
    destroy() {
      return this;
    },
    getColorDepth: () => 1,
    hasColors: () => false,
  };
  return Object.assign(events, own);
}

function hrtime(previous) {
  const nanoseconds =
    BigInt(host.monotonicNanoseconds()) - (previous ? BigInt(previous[0]) * 1000000000n + BigInt(previous[1]) : 0n);
  return [Number(nanoseconds / 1000000000n), Number(nanoseconds % 1000000000n)];
}
hrtime.bigint = () => BigInt(host.monotonicNanoseconds());

function memoryUsage() {
  const all = host.memorySize();
  return { rss: all, heapTotal: all, heapUsed: all, external: 0, arrayBuffers: 0 };
}
memoryUsage.rss = () => host.memorySize();

function emitWarning(warning, type) {
  const name = typeof type === "object" ? type?.type : type;
  const error = Error.isError(warning) ? warning : Object.assign(new Error(`${warning}`), { name: name ?? "Warning" });
  host.write(true, `(isolette:1) ${error.name}: ${error.message}\n`);
  if (process.listenerCount("warning") > 0) nextTick(() => process.emit("warning", error));
}

function accessor(name, get, set) {
  const assign = (value) => Object.defineProperty(process, name, { value, writable: true, enumerable: true });
  Object.defineProperty(process, name, { get, set: set ?? assign, enumerable: true, configurable: true });
}

function refuse(name, reason) {
  process[name] = () => {
    throw new Error(`process.${name} does not exist in the sandbox\nhint: ${reason}`);
  };
}

export function installProcess() {
  process = Object.create(Object.create(EventEmitter.prototype, { constructor: { value: { process() {} }.process } }));
  EventEmitter.init.call(process);
  for (const key of Object.keys(process)) Object.defineProperty(process, key, { enumerable: false });
  Object.assign(process, {
    argv0: "isolette",
    execArgv: [],
    execPath: "/usr/bin/isolette",
    env: {},
    pid: 1,
    ppid: 0,
    platform: "isolette",
    arch: "wasm32",
    version: `v${NODE}`,
    versions: { node: NODE, isolette: "0.1.0" },
    release: { name: "node" },
    config: {},
    features: {},
    title: "isolette",
    stdout: stream(false, 1),
    stderr: stream(true, 2),
    exit,
    cwd: () => workingDirectory(),
    chdir: (path) => changeDirectory(path),
    umask: () => 0o022,
    uptime: () => host.monotonic() / 1000,
    hrtime,
    memoryUsage,
    cpuUsage: () => ({ user: Math.round(host.monotonic() * 1000), system: 0 }),
    resourceUsage: () => ({ userCPUTime: Math.round(host.monotonic() * 1000), systemCPUTime: 0 }),
    nextTick,
    emitWarning,
    getuid: () => 0,
    geteuid: () => 0,
    getgid: () => 0,
    getegid: () => 0,
    abort: () => exit(134),
  });
  for (const name of ["on", "addListener", "once", "prependListener", "prependOnceListener"]) {
    const inherited = EventEmitter.prototype[name];
    const value = {
      [name](event, listener) {
        forgetLater(forget);
        if (EVENTS.has(event)) host.wantEnd();
        return inherited.call(this, event, listener);
      },
    }[name];
    Object.defineProperty(process, name, { value, writable: true, configurable: true, enumerable: false });
  }
  accessor("argv", () => {
    forgetLater(forget);
    return (argv ??= ["isolette", programPath()]);
  });
  accessor("stdin", () => host.loadModule("readline").stdin);
  accessor(
    "exitCode",
    () => exitCode,
    (code) => {
      forgetLater(forget);
      exitCode = code === undefined ? undefined : Number(code) | 0;
      host.setExitCode(exitCode ?? 0);
    },
  );
  accessor("mainModule", mainModule);
  refuse("kill", "the sandbox has no other processes; process.exit ends this one");
  refuse("binding", "use the modules of Node that there are");
  Object.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });
  define("process", process);
  define("exit", exit);
}
