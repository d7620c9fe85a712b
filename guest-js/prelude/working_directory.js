// The directory of relative paths: one that is writable.

import { failure } from "./fs_errors.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";

// The one that a program has changed to. The next program of the session begins in it, as in Python.
let chosen;
let usual;

function forget() {
  usual = undefined;
}

const isDirectory = (path) => host.stat(path).kind === "directory";

// `/output` if the host mounts it, otherwise `/tmp`, which always exists.
export function workingDirectory() {
  if (chosen !== undefined) return chosen;
  if (usual === undefined) {
    forgetLater(forget);
    usual = isDirectory("/output") ? "/output" : "/tmp";
  }
  return usual;
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

// The error of a path that leaves what is no directory by `..`, or names it as one by a slash at its end.
export function refusal(path) {
  if (path === "") return "ENOENT";
  const plain = !/\.\.|\/\.?$/.test(path);
  if (plain) return undefined;
  const steps = path.startsWith("/") ? [] : workingDirectory().split("/").slice(1);
  const names = path.split("/");
  const last = names.findLastIndex((name) => name !== "" && name !== ".");
  // Whether the steps end with a name that was not looked up.
  let isNew = false;
  for (const [index, name] of names.entries()) {
    if (name === "..") {
      const status = isNew ? host.stat(`/${steps.join("/")}`) : undefined;
      if (typeof status === "string") return status;
      if (status !== undefined && status.kind !== "directory") return "ENOTDIR";
      isNew = false;
      steps.pop();
    } else if (name !== "" && name !== ".") {
      isNew = true;
      steps.push(name);
    }
    if (index === last && isNew && last < names.length - 1) {
      const { kind } = host.stat(`/${steps.join("/")}`);
      if (kind !== undefined && kind !== "directory") return "ENOTDIR";
    }
  }
  return undefined;
}

export function changeDirectory(path) {
  const code = refusal(`${path}`);
  if (code !== undefined) throw failure(code, "chdir", workingDirectory(), `${path}`);
  const target = absolute(`${path}`);
  const status = host.stat(target);
  if (typeof status === "string" || status.kind !== "directory") {
    const code = typeof status === "string" ? status : "ENOTDIR";
    throw failure(code, "chdir", workingDirectory(), `${path}`);
  }
  chosen = target;
}
