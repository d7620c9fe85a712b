// Whether every patch still applies to the source of the engine, whose path is in `ENGINE_SOURCE`.

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";

import { applied, patches } from "./patches.mjs";

test("every patch applies to the pinned source", () => {
  assert.ok(process.env.ENGINE_SOURCE, "ENGINE_SOURCE must be the path of quickjs.c");
  let source = readFileSync(process.env.ENGINE_SOURCE, "utf-8");
  assert.notStrictEqual(patches().length, 0);
  for (const path of patches()) {
    const after = applied(source, readFileSync(path, "utf-8"), basename(path));
    assert.notStrictEqual(after, source, path);
    source = after;
  }
});

const PATCH = "What it is for.\n\n--- a/f.c\n+++ b/f.c\n@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n@@ -6 +6,2 @@\n f\n+g\n";

test("hunks change what they quote and nothing else", () => {
  assert.strictEqual(applied("a\nb\nc\nd\ne\nf\n", PATCH, "x.patch"), "a\nb\nC\nd\ne\nf\ng\n");
});

test("a patch that does not fit is named with the line", () => {
  const moved = () => applied("new\na\nb\nc\nd\ne\nf\n", PATCH, "x.patch");
  const message = /^Error: x\.patch does not apply: @@ -2,3 \+2,3 @@ expects this in line 2 [^]*:\n {2}b\nit is:\n {2}a\nhint: /;
  assert.throws(moved, message);
  const short = () => applied("a\nb\nc\nd\ne", PATCH, "x.patch");
  assert.throws(short, /the end of the file/);
});

test("a damaged patch is refused", () => {
  assert.throws(() => applied("a\n", PATCH.slice(0, -3), "x.patch"), /is cut off/);
  assert.throws(() => applied("a\n", "nothing", "x.patch"), /has no hunk/);
});
