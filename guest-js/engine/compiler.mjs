#!/usr/bin/env node
// The compiler of the engine, by way of `.cargo/config.toml`: clang, which is given a mended `quickjs.c`.
//
// It never compiles the engine as it is: a piece that is not there, or is there twice, fails the build.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { answers } from "./answers.mjs";
import { locations } from "./locations.mjs";
import { programs } from "./programs.mjs";

function mended(path) {
  let source = readFileSync(path, "utf-8");
  for (const [piece, replacement] of [...answers, ...locations, ...programs]) {
    const pieces = source.split(piece);
    if (pieces.length !== 2) {
      throw new Error(
        `${path} has this piece ${pieces.length - 1} times instead of once:\n${piece}\n` +
          "hint: adapt engine/ to the new version of the engine",
      );
    }
    source = pieces.join(replacement);
  }
  const target = join(dirname(path), "quickjs.mended.c");
  writeFileSync(target, source);
  return target;
}

const options = process.argv.slice(2).map((option) => (basename(option) === "quickjs.c" ? mended(option) : option));
// Assertions name their file: by a name that is the same on every machine.
const folders = new Set(options.filter((option) => option.endsWith(".c")).map(dirname));
options.push(...[...folders].map((folder) => `-ffile-prefix-map=${folder}=quickjs`));
const { status, error } = spawnSync("clang", options, { stdio: "inherit" });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
