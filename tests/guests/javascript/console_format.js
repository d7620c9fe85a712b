// util.format and util.inspect.
const { format, inspect, promisify } = require("util");
console.log(
  format("%s %s", "a"),
  format("%d", "0x10"),
  format("%i %f", "3.9", "3.9x"),
  format("%j", { a: [1] }),
  format("a", "b", { c: 1 }),
  format(1, 2),
  format("%%"),
  format("%s", { a: { b: 1 } }),
  format("%s", [1, [2]]),
  format("%O", { a: 1 }),
  format("%s", class A {}),
  format("%s", new Error("e").message),
  format("%d", 5n),
  format("%i", 5.9),
  format(),
);
console.log(
  inspect({ a: { b: { c: {} } } }, { depth: 0 }),
  inspect({ a: 1, b: [1, 2] }, { compact: false }),
  inspect("text"),
  inspect([1, 2, 3, 4], { maxArrayLength: 2 }),
  inspect("long text", { maxStringLength: 4 }),
  inspect({ b: 1, a: 2 }, { sorted: true }),
  inspect({ a: 1, b: 2 }, { breakLength: 3 }),
);
class Money {
  constructor(amount) {
    this.amount = amount;
  }
  [inspect.custom](depth, options) {
    return `Money<${this.amount}>`;
  }
}
console.log(new Money(5), [new Money(1)], { m: new Money(2) }, inspect(new Map([["m", new Money(3)]])));
const callbackStyle = (value, callback) => setTimeout(callback, 1, value < 0 ? new Error("negative") : null, value * 2);
const promised = promisify(callbackStyle);
promised(4).then(console.log);
promised(-1).catch((error) => console.log(error.message));
console.log(
  inspect(new Proxy({ a: 1 }, {})),
  inspect(Object.create({ constructor: { name: "Fake" } })),
  inspect(null),
  inspect(undefined),
  inspect(-0),
  inspect(Symbol("x")),
  inspect(123456789.123),
  inspect(["a", "b"], { compact: true }),
);
