// Whether every patch still applies to the sources of the engine, whose folder is in `ENGINE_SOURCE`.

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";

import { applied, patches, sections } from "./patches.mjs";

test("every patch applies to the pinned sources", () => {
  const folder = process.env.ENGINE_SOURCE;
  assert.ok(folder, "ENGINE_SOURCE must be the folder of quickjs.c");
  assert.notStrictEqual(patches().length, 0);
  const sources = new Map();
  for (const path of patches()) {
    const parts = sections(readFileSync(path, "utf-8"));
    assert.notStrictEqual(parts.size, 0, path);
    for (const [file, part] of parts) {
      const source = sources.get(file) ?? readFileSync(join(folder, file), "utf-8");
      const after = applied(source, part, basename(path));
      assert.notStrictEqual(after, source, `${path}: ${file}`);
      sources.set(file, after);
    }
  }
});

test("a patch has a part for each file", () => {
  const parts = sections(`${PATCH}--- a/g.h\n+++ b/g.h\n@@ -1 +1 @@\n-x\n+y\n`);
  assert.deepStrictEqual([...parts.keys()], ["f.c", "g.h"]);
  assert.strictEqual(applied("x\n", parts.get("g.h"), "x.patch"), "y\n");
  assert.strictEqual(sections("What it is for.\n").size, 0);
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
