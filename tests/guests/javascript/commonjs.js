// What a program finds about itself, as one that is started by its name does.
console.log(require.main === module, module.id, module.children.length, module.exports === exports, typeof module.filename);
exports.first = 1;
module.exports.second = 2;
console.log(module.exports, exports === module.exports);
console.log(__filename.startsWith("/"), __filename.startsWith(__dirname), process.argv[1] === __filename, process.argv.length);
console.log(module.paths instanceof Array, module.parent == null, require.resolve("node:fs"), typeof require.cache);
function main(args) {
  return `main(${args.length})`;
}
if (require.main === module) console.log(main(process.argv.slice(2)));
module.exports = { main };
console.log(Object.keys(module.exports));
const { createRequire, builtinModules, isBuiltin } = require("module");
console.log(createRequire(__filename)("path") === require("node:path"), builtinModules.includes("fs"), isBuiltin("node:os"));
for (const name of ["assert", "os", "path", "readline", "querystring", "util", "events", "url", "string_decoder"])
  console.log(name, require(name) === require(`node:${name}`), typeof require(name));
for (const [whole, part] of [
  ["timers/promises", require("timers").promises],
  ["fs/promises", require("fs").promises],
  ["path/posix", require("path").posix],
  ["path/win32", require("path").win32],
  ["util/types", require("util").types],
  ["assert/strict", require("assert").strict],
  ["stream/promises", require("stream").promises],
  ["readline/promises", require("readline").promises],
])
  console.log(whole, require(whole) === part);
console.log(/^v\d+\.\d+\.\d+$/.test(process.version), process.version === `v${process.versions.node}`);
console.log(typeof process.hrtime.bigint(), process.hrtime().length, process.memoryUsage().heapUsed > 0, process.exitCode);
console.log(process.hrtime.bigint() <= process.hrtime.bigint(), process.uptime() >= 0, process.release.name);
import("node:util").then(({ default: util, promisify }) => console.log(util.promisify === promisify));
