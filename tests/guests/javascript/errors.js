// Errors: kinds, causes, finally.
class ValidationError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "ValidationError";
    this.field = "age";
  }
}
try {
  throw new ValidationError("too young", { cause: new TypeError("not a number") });
} catch (error) {
  console.log(
    error.name,
    error.message,
    error.field,
    error.cause.name,
    error instanceof ValidationError,
    error instanceof Error,
    String(error),
    Object.prototype.toString.call(error),
  );
  console.log(Object.keys(error), "cause" in new Error("x"), JSON.stringify(error));
}
const order = [];
function flow(how) {
  try {
    order.push(`try ${how}`);
    if (how === "return") return "from try";
    if (how === "throw") throw new Error("thrown");
    if (how === "override") throw new Error("lost");
  } catch (error) {
    order.push(`catch ${error.message}`);
    return "from catch";
  } finally {
    order.push("finally");
    if (how === "override") return "from finally";
  }
  return "after";
}
console.log(["plain", "return", "throw", "override"].map(flow), order);
for (const thrown of ["text", 42, null, undefined, { code: 1 }, [1], Symbol("s")]) {
  try {
    throw thrown;
  } catch (caught) {
    console.log(typeof caught, caught);
  }
}
const aggregate = new AggregateError([new Error("one"), new RangeError("two")], "several");
console.log(aggregate.name, aggregate.message, aggregate.errors.map(String));
for (const action of [
  () => null.x,
  () => undefined(),
  () => missing,
  () => [].x.y,
  () =>
    new (class {
      constructor() {
        return this.nothing.here;
      }
    })(),
  () => (1).toFixed(200),
  () => decodeURI("%"),
  () => "x".repeat(Infinity),
  () => new Array(-5),
  () => BigInt("x"),
  () => JSON.parse("{"),
  () => eval("1 +"),
  () => {
    "use strict";
    undeclared = 1;
  },
  () => {
    const c = 1;
    c = 2;
  },
  () => Symbol() + 1,
  () => new 5(),
  () => ({}).x.y.z,
  () => [...5],
  () => {
    class A {
      constructor() {
        this.x;
      }
    }
    A();
  },
  () => Reflect.construct(1),
]) {
  try {
    console.log("no error:", action());
  } catch (error) {
    console.log(error.constructor.name);
  }
}
try {
  try {
    throw new Error("inner");
  } finally {
    console.log("cleanup");
  }
} catch ({ message }) {
  console.log(message);
}
try {
  throw new Error("no binding");
} catch {
  console.log("caught without a name");
}
const e = new Error("m");
console.log(
  typeof e.stack,
  e.stack.split("\n")[0],
  e.hasOwnProperty("message"),
  Error("without new") instanceof Error,
  new Error().message === "",
  Error.prototype.name,
  new TypeError("t").toString(),
  Object.assign(new Error("code"), { code: "E" }).code,
);
console.log(
  new Error("x", { cause: 0 }).cause,
  Error.name,
  RangeError.prototype instanceof Error,
  Object.getPrototypeOf(TypeError) === Error,
);
function nested(depth) {
  if (depth === 0) throw new Error("bottom");
  try {
    nested(depth - 1);
  } catch (error) {
    throw new Error(`level ${depth}`, { cause: error });
  }
}
try {
  nested(3);
} catch (error) {
  for (let at = error; at; at = at.cause) console.log(at.message);
}
