// Prepares the tests: node check.mjs ARCHIVE FOLDER MODULES
//
// Installs the archive as users do, and compiles tests, examples and the programs of README.md against it. FOLDER is emptied;
// MODULES are the installed packages of package-lock.json.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// FOLDER is emptied: with an argument too few, that would be another one.
if (process.argv.length !== 5 || process.argv.includes("")) {
  throw new Error("usage: node check.mjs ARCHIVE FOLDER MODULES");
}
const [archive, folder, modules] = process.argv.slice(2).map((path) => resolve(path));
const source = dirname(fileURLToPath(import.meta.url));
const run = (program, args) => execFileSync(program, args, { cwd: folder, stdio: ["ignore", 2, 2] });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", archive]);

// What the tests use beside the package; npm would install it from a registry.
for (const name of readdirSync(modules)) {
  if (!name.startsWith(".")) symlinkSync(join(modules, name), join(folder, "node_modules", name));
}
for (const name of ["tests", "examples"]) cpSync(join(source, name), join(folder, name), { recursive: true });
writeFileSync(join(folder, "tests/readme.ts"), programs(readFileSync(join(source, "README.md"), "utf8")));
const compilerOptions = {
  target: "es2024", lib: ["es2024", "esnext.disposable"], module: "nodenext", strict: true, noUncheckedIndexedAccess: true,
  types: ["node"], rootDir: ".", outDir: "out",
};
const compile = (name, more, files) => {
  writeFileSync(join(folder, name), JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, ...files }));
  run(process.execPath, [join(modules, "typescript/bin/tsc"), "--project", name]);
};
// The declarations of the package are checked as well; those of the AI SDK need others that are not installed.
compile("declarations.json", { noEmit: true }, { files: ["node_modules/isolette/dist/index.d.ts"] });
compile("tsconfig.json", { skipLibCheck: true }, { include: ["tests", "examples"] });

// Each block of the text is a block of one program, whose other names are in readme-names.ts.
function programs(text) {
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
  const isImport = (line) => line.startsWith("import ");
  const lines = blocks.map((block) => block.split("\n"));
  const imports = new Set(lines.flat().filter(isImport));
  const bodies = lines.map((block) => `{\n${block.filter((line) => !isImport(line)).join("\n")}\n}\n`);
  const names = 'import { client, code, database, model, prompt, sandbox } from "./readme-names.js";';
  return [...imports, names, ...bodies].join("\n");
}
