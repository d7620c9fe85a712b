// Modules that the program wrote: CommonJS, modules of the standard, JSON, folders, circles, errors.

const fs = require("fs");
const path = require("path");
const folder = fs.mkdtempSync("/tmp/modules-");
const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};
const at = (name) => path.join(folder, name);
const show = (...values) => console.log(...values.map((value) => (typeof value === "string" ? value.replaceAll(folder, "~") : value)));
const attempt = async (work) => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

write("helper.js", "exports.double = (x) => x * 2;\nexports.names = [__filename, __dirname, module.id, module.filename, module.loaded, require.main === module, this === exports];\n");
const helper = require(at("helper.js"));
show(helper.double(21));
for (const name of helper.names) show(name);
show(require(at("helper.js")) === helper, require(at("helper")) === helper, require.cache[at("helper.js")].exports === helper, require.cache[at("helper.js")].loaded);
delete require.cache[at("helper.js")];
show(require(at("helper")) === helper, require.resolve(at("helper")));

write("data.json", '{"a":[1,2]}');
show(require(at("data.json")).a, require(at("data")).a.length);
write("lib/index.js", "module.exports = { where: 'index', inner: require('./inner'), up: require('..' + '/helper').double(1), same: require('.') === exports };");
write("lib/inner.cjs", "module.exports = 'never';");
write("lib/inner/index.js", "module.exports = ['inner', module.parent.filename];");
show(require(at("lib")).where, require(at("lib/")).inner[0], require(at("lib")).up);
write("packed/package.json", '{"main":"./dist/main"}');
write("packed/dist/main.js", "module.exports = function packed() { return require('fs') === require('node:fs'); };");
show(require(at("packed")).name, require(at("packed"))());

write("a.js", "exports.early = 1; const b = require('./b'); exports.late = b.seen;");
write("b.js", "const a = require('./a.js'); exports.seen = Object.keys(a).join() + ('late' in a);");
show(require(at("a.js")));

write("m.mjs", "import { readFileSync } from 'node:fs';\nimport helper, { double } from './helper.js';\nimport { twice, bump, count } from './n.mjs';\nexport default double(twice(3));\nexport const types = [typeof readFileSync, typeof helper, import.meta.url, import.meta.filename, import.meta.dirname];\nexport const kinds = [typeof this];\nbump();\nexport { count, count as 'a b' };\nexport * as all from './n.mjs';\n");
write("n.mjs", "import * as m from './m.mjs';\nexport let count = 0;\nexport const bump = () => { count += 1; };\nexport const twice = (x) => x * 2;\nexport const late = () => m.default;\n");
(async () => {
  const m = await import(at("m.mjs"));
  show(m.default, m.count, m["a b"], m.all.late(), m.kinds);
  for (const value of m.types) show(value);
  m.all.bump();
  show(m.count, Object.keys(m), (await import(`file://${at("m.mjs")}`)) === m, (await import(`${at("n.mjs")}`)).count);
  show((await import(at("helper.js"))).default === require(at("helper.js")), Object.keys(await import(at("a.js"))).includes("early"));
  write("waits.mjs", "export const value = await Promise.resolve(7);");
  show((await import(at("waits.mjs"))).value);
  write("again.mjs", "export default 1");
  show((await import(at("again.mjs"))).default, (await import(`${at("again.mjs")}?x`)) === (await import(at("again.mjs"))));
  write("inside.cjs", "module.exports = () => import('./n.mjs');");
  show((await require(at("inside.cjs"))()).twice(4));
  write("lazy.js", "module.exports = require('module').createRequire(__filename)('./helper').double(5)");
  show(require(at("lazy.js")));

  // Errors.
  for (const work of [() => require(at("none.js")), () => require(at("lib/none")), () => import(at("none.mjs")), () => require("./none-of-these")]) {
    const error = await attempt(work);
    show(error.constructor.name, error.code, error.message.split("\n")[0].replace(/ imported from .*/, ""));
  }
  write("throws.js", "\n\nfunction inner() {\n  throw new TypeError('on line four');\n}\ninner();\n");
  const thrown = await attempt(() => require(at("throws.js")));
  show(thrown.name, thrown.message, thrown.stack.split("\n")[1].trim(), at("throws.js") in require.cache);
  write("throws.mjs", "export default 1;\n  null.x;\n");
  const rejected = await attempt(() => import(at("throws.mjs")));
  show(rejected.name, /throws\.mjs:2:/.test(rejected.stack));
  write("broken.js", "const a = 1;\nconst = 2;\n");
  const broken = await attempt(() => require(at("broken.js")));
  show(broken.name, /broken\.js:2/.test(broken.stack));
  write("broken.json", '{"a":');
  const json = await attempt(() => require(at("broken.json")));
  show(json.name, json.message.includes(at("broken.json")));
  write("noexport.mjs", "import { nothing } from './n.mjs';");
  show((await attempt(() => import(at("noexport.mjs")))).name);
  write("needs.js", "module.exports = require('./needed');");
  show((await attempt(() => require(at("needs.js")))).code);
  write("needed.js", "module.exports = 'now there';");
  show(require(at("needs.js")));
  fs.rmSync(folder, { recursive: true });
})();
