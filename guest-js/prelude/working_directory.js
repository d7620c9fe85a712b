// The directory of relative paths: one that is writable.

import { failure } from "./fs_errors.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";

let current;

function forget() {
  current = undefined;
}

const isDirectory = (path) => host.stat(path).kind === "directory";

// `/output` if the host mounts it, otherwise `/tmp`, which always exists.
export function workingDirectory() {
  if (current === undefined) {
    forgetLater(forget);
    current = isDirectory("/output") ? "/output" : "/tmp";
  }
  return current;
}

// Absolute and without `.` and `..`.
export function absolute(path) {
  const steps = [];
  for (const step of (path.startsWith("/") ? path : `${workingDirectory()}/${path}`).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return `/${steps.join("/")}`;
}

export function changeDirectory(path) {
  const target = absolute(`${path}`);
  const status = host.stat(target);
  if (typeof status === "string" || status.kind !== "directory") {
    const code = typeof status === "string" ? status : "ENOTDIR";
    throw failure(code, "chdir", workingDirectory(), `${path}`);
  }
  forgetLater(forget);
  current = target;
}
