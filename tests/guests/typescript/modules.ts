// Imports of values, of types that look like values, and the two forms of their own.
import { readFileSync, Stats } from "node:fs";
import type { ParsedPath } from "node:path";
import * as path from "node:path";
import os, { type CpuInfo, EOL as lineEnd } from "node:os";
import util = require("node:util");
import { Nothing } from "./there/is/no/such/file";
export type { ParsedPath } from "node:path";
export interface Described {
  stats?: Stats;
  nothing?: Nothing;
  cpu?: CpuInfo;
}
export const parsed: ParsedPath = path.parse("/a/b.txt");
export default function main(described: Described): string {
  return [typeof readFileSync, typeof os.tmpdir(), JSON.stringify(lineEnd), parsed.base, util.inspect(described)].join(" ");
}
console.log(main({}));
console.log(
  (function (this: unknown) {
    return this;
  })(),
);
