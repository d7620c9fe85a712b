// Results, retries, clean-up, validation.
const attempt = (action) => {
  try {
    return { ok: true, value: action() };
  } catch ({ name, message }) {
    return { ok: false, error: `${name}: ${message}` };
  }
};
class ParseError extends SyntaxError {
  name = "ParseError";
  constructor(line, message) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}
const parseConfig = (text) =>
  Object.fromEntries(
    text.split("\n").flatMap((line, i) => {
      if (!line.trim() || line.startsWith("#")) return [];
      const at = line.indexOf("=");
      if (at < 0) throw new ParseError(i + 1, `no '=' in '${line}'`);
      return [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
console.log(
  attempt(() => parseConfig("# c\na = 1\nb=x=y")),
  attempt(() => parseConfig("a=1\noops")),
);
const validators = {
  name: [(v) => typeof v === "string" || "must be text", (v) => v.length > 1 || "is too short"],
  age: [(v) => Number.isInteger(v) || "must be whole", (v) => v >= 0 || "is negative"],
};
const validate = (data) => {
  const errors = Object.entries(validators).flatMap(([field, checks]) => {
    for (const check of checks) {
      const outcome = check(data[field]);
      if (outcome !== true) return [`${field} ${outcome}`];
    }
    return [];
  });
  if (errors.length)
    throw new AggregateError(
      errors.map((text) => new Error(text)),
      "invalid",
    );
  return data;
};
for (const data of [{ name: "Ada", age: 36 }, { name: "A", age: -1 }, { age: 1.5 }]) {
  try {
    console.log("valid", validate(data));
  } catch (error) {
    console.log(
      error.message,
      error.errors.map(({ message }) => message),
    );
  }
}
const log = [];
const using = (name, action) => {
  log.push(`open ${name}`);
  try {
    return action(name);
  } finally {
    log.push(`close ${name}`);
  }
};
console.log(
  attempt(() =>
    using("a", () =>
      using("b", () => {
        throw new Error("inside");
      }),
    ),
  ),
  log,
);
const retry = (action, times) => {
  for (let n = 1; ; n++) {
    try {
      return action(n);
    } catch (error) {
      if (n === times) throw new Error(`failed ${n} times`, { cause: error });
    }
  }
};
console.log(
  retry((n) => {
    if (n < 3) throw new Error("not yet");
    return `attempt ${n}`;
  }, 5),
  attempt(() =>
    retry(() => {
      throw new Error("never");
    }, 2),
  ),
);
const chain = (error) => (error ? [error.message, ...chain(error.cause)] : []);
try {
  try {
    try {
      JSON.parse("{bad");
    } catch (cause) {
      throw new Error("config is broken", { cause: new Error("not JSON") });
    }
  } catch (cause) {
    throw new Error("cannot start", { cause });
  }
} catch (error) {
  console.log(chain(error).join(" <- "));
}
const order = [];
const run = () => {
  for (const step of [1, 2, 3]) {
    try {
      if (step === 2) continue;
      if (step === 3) return "returned";
      order.push(step);
    } finally {
      order.push(`f${step}`);
    }
  }
};
console.log(
  run(),
  order,
  (() => {
    try {
      throw 1;
    } catch {
      return "catch";
    } finally {
      order.push("last");
    }
  })(),
  (() => {
    while (true) {
      try {
        return 1;
      } finally {
        break;
      }
    }
    return 2;
  })(),
);
const assert = (condition, message) => {
  if (!condition) throw Object.assign(new Error(message), { name: "AssertionError", code: "ERR_ASSERTION" });
};
console.log(
  attempt(() => assert(1 === 2, "one is not two")),
  attempt(() => assert(true)),
);
const typed = [
  new TypeError("t"),
  new RangeError("r"),
  new (class Custom extends Error {})("c"),
  Object.assign(new Error("coded"), { code: 42 }),
].map((error) => {
  switch (true) {
    case error instanceof TypeError:
      return "type";
    case error instanceof RangeError:
      return "range";
    case error.code === 42:
      return "coded";
    default:
      return error.constructor.name;
  }
});
console.log(typed);
Promise.reject(new Error("async"))
  .catch((error) => {
    throw new TypeError("translated", { cause: error });
  })
  .catch(({ name, message, cause }) => console.log(name, message, cause.message))
  .finally(() => console.log("finally"));
(async () => {
  try {
    await Promise.all([Promise.resolve(1), Promise.reject(new Error("one failed"))]);
  } catch ({ message }) {
    return message;
  } finally {
    console.log("cleaned");
  }
})().then(console.log);
const late = new Promise((_, reject) => setTimeout(() => reject(new Error("handled later")), 1));
queueMicrotask(() => late.catch(({ message }) => console.log(message)));
