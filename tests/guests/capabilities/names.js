// Names that mean something to JavaScript.
import all, { then_, await as awaited, delete as removed, import as imported, arguments as given, print } from "from:await/class";

const module = await import("from:await/class");
const same = (value, other) => {
  if (JSON.stringify(value) !== JSON.stringify(other)) throw new Error(`${JSON.stringify(value)} ${JSON.stringify(other)}`);
};
const made = { class: 1, from: 2, await: 3, constructor: 4, then: 5, toString: 6, none: 7, self: 8, args: 9 };
same(module.echoFunction(made), made);
delete made.toString;
same(module.echoFunction(made), made);
for (const name of ["none", "true", "false", "mro", "name", "value", "URL", "http2-x"]) same(module.echoNone(name), name);
for (const value of [{ tag: "exception", val: 1 }, { tag: "none" }, { tag: "base-exception", val: "mro" }])
  same(module.echoException(value), value);
const flags = { this: false, valueOf: true, class: true, constructor: false };
same(module.echoThis(flags), flags);
same(module.echoThis({ valueOf: true, class: true }), flags);
same([then_(1), awaited(2), removed(3), imported(4, 5), print(6)], [1, 2, 3, [4, 5], 6]);
same([...given(1, 2, 3, 4)], [1, 2, 3, 4]);
same(all.default(7), 7);
same(module.then, undefined);
for (const name of ["then_", "close", "constructor_"]) same(typeof module.Promise.prototype[name], "function");
same([typeof module.Promise.prototype_, typeof module.Promise.name], ["function", "function"]);
result = "used";
