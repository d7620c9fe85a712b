#!/usr/bin/env node
// The compiler of the engine, by way of `.cargo/config.toml`: clang, which is given a patched `quickjs.c`.
//
// It never compiles the engine as it is published: a patch that does not apply fails the build.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { patched } from "./patches.mjs";

function patchedCopy(path) {
  const target = join(dirname(path), "quickjs.patched.c");
  try {
    writeFileSync(target, patched(readFileSync(path, "utf-8")));
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
  return target;
}

const options = process.argv.slice(2).map((option) => (basename(option) === "quickjs.c" ? patchedCopy(option) : option));
// Assertions name their file: by a name that is the same on every machine.
const folders = new Set(options.filter((option) => option.endsWith(".c")).map(dirname));
options.push(...[...folders].map((folder) => `-ffile-prefix-map=${folder}=quickjs`));
const { status, error } = spawnSync("clang", options, { stdio: "inherit" });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
