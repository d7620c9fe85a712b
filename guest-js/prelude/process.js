// The little of `process` that makes sense without one.

import { define } from "./globals.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";
import { nextTick } from "./timers.js";

let exitCode;

function exit(code = exitCode ?? 0) {
  host.exit(Number(code) | 0);
}

function forget() {
  exitCode = undefined;
}

function stream(toStderr, fd) {
  return {
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
    end(content) {
      if (content !== undefined) this.write(content);
    },
    on() {
      return this;
    },
    once() {
      return this;
    },
  };
}

function hrtime(previous) {
  const nanoseconds =
    BigInt(host.monotonicNanoseconds()) - (previous ? BigInt(previous[0]) * 1000000000n + BigInt(previous[1]) : 0n);
  return [Number(nanoseconds / 1000000000n), Number(nanoseconds % 1000000000n)];
}
hrtime.bigint = () => BigInt(host.monotonicNanoseconds());

export function installProcess() {
  const process = {
    argv: ["isolette", "program"],
    argv0: "isolette",
    execArgv: [],
    env: {},
    pid: 1,
    platform: "isolette",
    arch: "wasm32",
    versions: { isolette: "0.1.0" },
    title: "isolette",
    stdout: stream(false, 1),
    stderr: stream(true, 2),
    exit,
    cwd: () => "/",
    uptime: () => host.monotonic() / 1000,
    hrtime,
    nextTick,
    emitWarning: (warning) => console.warn(`Warning: ${warning}`),
    // Signals and events of a process never happen here.
    on: () => process,
    once: () => process,
    off: () => process,
    emit: () => false,
  };
  Object.defineProperty(process, "exitCode", {
    get: () => exitCode,
    set: (code) => {
      forgetLater(forget);
      exitCode = code === undefined ? undefined : Number(code) | 0;
      host.setExitCode(exitCode ?? 0);
    },
    enumerable: true,
    configurable: true,
  });
  Object.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });
  define("process", process);
  define("exit", exit);
}
