#!/usr/bin/env node
// The compiler of the engine, by way of `.cargo/config.toml`: clang, which is given patched sources.
//
// It never compiles the engine as it is published: a patch that does not apply fails the build.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { patched } from "./patches.mjs";

/** The path of the patched copy of a source, beside patched copies of the headers that it includes. */
function patchedCopy(path) {
  const folder = dirname(path);
  const target = join(folder, "patched");
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".h") || name === basename(path))) {
    // Several sources are compiled at a time, with the same headers.
    const copy = join(target, `${name}.${process.pid}`);
    writeFileSync(copy, patched(name, readFileSync(join(folder, name), "utf-8")));
    renameSync(copy, join(target, name));
  }
  return join(target, basename(path));
}

function compiled(option) {
  if (!(option.endsWith(".c") && existsSync(join(dirname(option), "quickjs.c")))) return option;
  try {
    return patchedCopy(option);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(1);
  }
}

const options = process.argv.slice(2).map(compiled);
// Assertions name their file: by a name that is the same on every machine.
const folders = new Set(options.filter((option) => option.endsWith(".c")).map(dirname));
options.push(...[...folders].map((folder) => `-ffile-prefix-map=${folder}=quickjs`));
const { status, error } = spawnSync("clang", options, { stdio: "inherit" });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
