import * as path from "node:path";
import { readFileSync, type Stats } from "node:fs";
import type { URL as U } from "node:url";
export interface Options { verbose?: boolean }
export const join = (...p: string[]): string => path.join(...p);
export default function main(o: Options = {}): string { return o.verbose ? "loud" : "quiet"; }
console.log(join("a", "..", "b"), main({ verbose: true }), typeof readFileSync, path.basename("/x/y.tar.gz", ".gz"));
const later = await Promise.resolve<number>(5); console.log(later);
