// console, and what it prints.
console.log("%s is %d years, %i, %f, %j", "Ada", 36.5, 36.5, "1.25", { a: 1 }, "extra", { b: 2 });
console.log("%o|%O|%c|%%|%x", [1], { a: { b: { c: {} } } }, "color: red", "left over");
console.log("100%", 5, "%s");
console.log("%s %s", null, undefined, 5n, Symbol("s"), -0, () => 1);
console.info("info");
console.debug("debug");
console.log();
console.log("multi\nline", ["in\nlist"], { text: 'it\'s "quoted" `ticks`' });
console.group("Group");
console.log("inside\nboth lines");
console.group();
console.log({ nested: true, list: [1, 2, 3] });
console.groupEnd();
console.log("one level");
console.groupEnd();
console.groupEnd();
console.log("outside");
console.count();
console.count("named");
console.count();
console.countReset();
console.count();
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.dir([1, "two"]);
console.assert(true, "never");
const { log } = console;
log("detached");
console.log(
  typeof console.table,
  typeof console.time,
  typeof console.trace,
  typeof console.error,
  typeof console.groupCollapsed,
);
console.log(...[1, 2, 3], [..."ab"]);
console.log(-0, [-0], 0.1, 1e21, NaN, [NaN, Infinity], "", [""], [undefined, null], true);
