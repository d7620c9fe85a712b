// A program that changes the objects of an interface breaks only itself.
const forecast = require("acme:weather/forecast");
const { Station } = forecast;

function quietly(call, ...args) {
  try {
    return call(...args);
  } catch {
    return undefined;
  }
}

const cities = ["a"];
const growing = new Proxy(cities, {
  get(target, key) {
    if (target.length < 100) target.push("more");
    return target[key];
  },
});
const detached = new Uint8Array(10);
quietly(() => detached.buffer.transfer());
const resizable = quietly(() => new Uint8Array(new ArrayBuffer(8, { maxByteLength: 64 })));
const values = [
  growing,
  detached,
  resizable,
  { length: 2 ** 32 },
  new Proxy({}, { get: () => { throw 1; } }),
  new Proxy([], { get: () => 2 ** 53 - 1 }),
  { get highC() { cities.length = 0; return 1; }, lowC: 1, sky: "clear", on: new Proxy({}, { ownKeys: () => ["x"] }) },
  { tag: "polygon", get val() { throw new Error("val"); } },
  { tag: { toString: () => "circle" }, val: 1 },
  { [Symbol.iterator]: () => ({ next: () => { throw new Error("next"); } }) },
  { [Symbol.iterator]: 5 },
  Symbol("s"),
  () => {},
  Promise.resolve(1),
  2n ** 5000n,
  "x".repeat(100_000),
  Object.create(null),
];
for (const value of values) {
  for (const [name, call] of Object.entries(forecast)) {
    if (name === "Station") continue;
    quietly(call, value);
    quietly(call, [value, value]);
    quietly(call, ...[value, value]);
  }
}

// An array that ends while it is read.
const shrinking = [{ get highC() { shrinking.length = 0; } }, 1, 2, 3];
quietly(forecast.echoResults, shrinking);

// Handles that were not given.
const station = new Station("real");
for (const object of [{}, Object.create(station), Object.setPrototypeOf({}, Station.prototype), Station.prototype, new Proxy(station, {})]) {
  quietly(() => Station.prototype.name.call(object));
  quietly(forecast.join, object, station);
  quietly(() => Station.prototype[Symbol.dispose].call(object));
}
quietly(() => Reflect.construct(Station, ["x"], Array));
quietly(() => Reflect.construct(Station, ["x"], new Proxy(Station, { get: () => 5 })));
Object.setPrototypeOf(station, null);
quietly(forecast.join, station, station);

// What everything is made of.
Object.freeze(Object.prototype);
quietly(forecast.get, "Paris");
const iterate = Array.prototype[Symbol.iterator];
const broken = () => {
  throw new Error("iterator");
};
const breaking = (call) => {
  Array.prototype[Symbol.iterator] = broken;
  try {
    call();
  } catch {}
  Array.prototype[Symbol.iterator] = iterate;
};
breaking(() => forecast.echoCities(["a"]));
breaking(() => forecast.echoResults(new Set([1])));
Object.defineProperty(Array.prototype, 0, { set() { throw new Error("set"); }, configurable: true });
quietly(forecast.echoCities, ["a"]);
quietly(forecast.echoResults, new Set([1]));
delete Array.prototype[0];
Reflect.deleteProperty(Station.prototype, "name");
globalThis.CapabilityError = globalThis.Error = undefined;
quietly(forecast.get, "Atlantis");
quietly(require, "acme:weather/nothing");
JSON.stringify = Map.prototype.get = Array.isArray = undefined;
quietly(require, "acme:weather/forecast");
("still here");
