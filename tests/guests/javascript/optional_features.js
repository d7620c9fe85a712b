// Newer syntax, together.
const config = { servers: [{ name: "a", limits: { cpu: 2 } }, { name: "b" }], get: (key) => key?.toUpperCase?.() };
console.log(
  config.servers?.[0]?.limits?.cpu ?? 1,
  config.servers[1].limits?.cpu ?? 1,
  config.missing?.[0].deep.deeper,
  config.get?.("k"),
  config.nope?.(1),
  config.servers.at(-1).name,
);
let settings = { retries: 0, name: "", verbose: null };
settings.retries ||= 3;
settings.name ??= "default";
settings.verbose ??= false;
settings.retries &&= settings.retries + 1;
console.log(settings, 1_000_000.5, 0b1010_0101, 0xff_ff, 10n ** 3n);
class Counter {
  static #instances = 0;
  static {
    Counter.origin = "static block";
  }
  #count = 0;
  static has(value) {
    return #count in value;
  }
  increment = () => ++this.#count;
  static {
    Counter.#instances = 10;
  }
  static get instances() {
    return Counter.#instances;
  }
}
const { increment } = new Counter();
console.log(increment(), increment(), Counter.has(new Counter()), Counter.has({}), Counter.origin, Counter.instances);
console.log(
  [3, 1, 2].toSorted(),
  [1, 2, 3].toReversed(),
  [1, 2, 3].with(0, 9),
  [1, 2, 3, 4].findLast((n) => n % 2),
  [1, [2, [3]]].flat(2),
  "a-b".replaceAll("-", "+"),
  Object.hasOwn({ x: 1 }, "x"),
  "abc".at(-1),
);
console.log(
  Object.fromEntries(Object.entries({ a: 1, b: 2 }).map(([key, value]) => [key.toUpperCase(), value * 2])),
  [..."aab"].reduce((map, letter) => map.set(letter, (map.get(letter) ?? 0) + 1), new Map()),
);
try {
  try {
    throw new Error("inner");
  } catch (cause) {
    throw new Error("outer", { cause });
  }
} catch ({ message, cause: { message: inner } }) {
  console.log(message, inner);
}
const tagged = (strings, ...values) => ({ strings: [...strings], values });
console.log(
  tagged`a${1}b${2}c`,
  `${[1, 2, 3].map((n) => `<${n}>`).join("")}`,
  /(?<year>\d{4})/.exec("in 2024")?.groups?.year,
  "x".padStart(3, "ab"),
  "  y ".trimEnd(),
);
const promise = Promise.allSettled([Promise.resolve(1), Promise.reject(new Error("no"))]);
promise.then((results) => console.log(results.map(({ status }) => status)));
Promise.any([Promise.reject(1), Promise.resolve(2)]).then((value) => console.log("any", value));
console.log(
  typeof structuredClone,
  [1, 2, 3].includes(2),
  Array.from({ length: 3 }, (_, i) => i ** 2),
  new Intl_().name,
);
function Intl_() {
  this.name = new.target.name;
}
const alive = { alive: true };
const weak = new WeakRef(alive);
console.log(
  weak.deref()?.alive,
  [0, 1, 2].at(-4) ?? "none",
  Number.EPSILON > 0,
  "\u{1F600}".codePointAt(0),
  [..."😀é"].length,
  Math.trunc(-0.5),
  2 ** (3 ** 0),
);
