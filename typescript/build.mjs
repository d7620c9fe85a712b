// Makes the package: node build.mjs OPENAPI_DOCUMENT FOLDER MODULES
//
// Writes the types that the document describes, compiles, and packs. FOLDER is emptied; MODULES are the installed packages of
// package-lock.json. Prints the path of the archive.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// FOLDER is emptied: with an argument too few, that would be another one.
if (process.argv.length !== 5 || process.argv.includes("")) {
  throw new Error("usage: node build.mjs OPENAPI_DOCUMENT FOLDER MODULES");
}
const [document, folder, modules] = process.argv.slice(2).map((path) => resolve(path));
const source = dirname(fileURLToPath(import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ["src", "tsconfig.json", "README.md"]) cpSync(join(source, name), join(folder, name), { recursive: true });
cpSync(join(source, "../LICENSE"), join(folder, "LICENSE"));
symlinkSync(modules, join(folder, "node_modules"));

const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
delete manifest.devDependencies;
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const generator = pathToFileURL(join(modules, "openapi-typescript/dist/index.mjs"));
const { default: openapiTS, astToString } = await import(generator.href);
const types = astToString(await openapiTS(JSON.parse(readFileSync(document, "utf8")), { alphabetize: true }));
writeFileSync(join(folder, "src/generated.ts"), types);

const run = (program, args) => execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: ["ignore", 2, 2] });
run(join(modules, "typescript/bin/tsc"), ["--project", "tsconfig.json"]);

const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--offline"], { cwd: folder, encoding: "utf8" });
console.log(join(folder, JSON.parse(packed)[0].filename));
