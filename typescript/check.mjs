// Prepares the tests: node check.mjs ARCHIVE FOLDER MODULES
//
// Installs the archive as users do, and compiles tests and examples against it. FOLDER is emptied.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [archive, folder, modules] = process.argv.slice(2).map((path) => resolve(path));
const source = dirname(fileURLToPath(import.meta.url));
rmSync(folder, { recursive: true, force: true });
const installed = join(folder, "node_modules");
mkdirSync(join(installed, "isolette"), { recursive: true });
for (const name of readdirSync(modules)) if (!name.startsWith(".")) symlinkSync(join(modules, name), join(installed, name));
execFileSync("tar", ["--extract", "--gzip", "--file", archive, "--directory", join(installed, "isolette"), "--strip-components", "1"]);
for (const name of ["tests", "examples"]) cpSync(join(source, name), join(folder, name), { recursive: true });
const options = {
  compilerOptions: {
    target: "es2024", lib: ["es2024", "esnext.disposable"], module: "nodenext", strict: true, noUncheckedIndexedAccess: true,
    types: ["node"], skipLibCheck: false, rootDir: ".", outDir: "out",
  },
  include: ["tests", "examples"],
};
// The declarations of the package are checked; those of others are not ours.
options.compilerOptions.skipLibCheck = true;
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
execFileSync(process.execPath, [join(modules, "typescript/bin/tsc"), "--project", "tsconfig.json"], { cwd: folder, stdio: ["ignore", 2, 2] });
