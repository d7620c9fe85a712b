// Compiles the program whose path is the argument, and runs what comes out: `.mts` as a module, all others as CommonJS.

const fs = require("fs");
const { Module } = require("module");
const typescript = require("typescript");

process.argv.splice(1, 1);
const path = process.argv[1];
const source = fs.readFileSync(path, "utf8");
const isModule = path.endsWith(".mts");
const compilerOptions = {
  target: "ES2022",
  module: isModule ? "ESNext" : "CommonJS",
  esModuleInterop: true,
  // A program that takes a `PropertyDescriptor` is written for the older decorators.
  experimentalDecorators: source.includes("PropertyDescriptor"),
};
const { outputText, diagnostics } = typescript.transpileModule(source, {
  fileName: path,
  reportDiagnostics: true,
  compilerOptions,
});
if (diagnostics.length > 0) {
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => "", getNewLine: () => "\n" };
  throw new SyntaxError(typescript.formatDiagnostics(diagnostics, host));
}
if (isModule) {
  import(`data:text/javascript,${encodeURIComponent(outputText)}`);
} else {
  new Module(path)._compile(outputText, path);
}
