// What values of each type look like, there and back.
import * as forecast from "acme:weather/forecast";

const report = forecast.get("Paris");
const shown = (value) =>
  JSON.stringify(value, (_, value) =>
    typeof value === "bigint" ? `${value}n` : ArrayBuffer.isView(value) ? [value.constructor.name, ...value].join() : value === undefined ? "undefined" : Object.is(value, -0) ? "-0" : value !== value || value === Infinity || value === -Infinity ? `${value}` : value,
  );
const both = (call, ...values) => values.every((value) => shown(call(value)) === shown(value));
const as = (call, value, expected) => shown(call(value)) === shown(expected);
const large = new Uint8Array(1_000_000).map((_, index) => index);

result = {
  record: both(forecast.echoReport, report),
  "record fields": report.highC === 21.5 && report.sky === "partly-cloudy" && report.note === undefined,
  "record in full": shown(report) === shown({ highC: 21.5, lowC: Math.fround(0.1), sky: "partly-cloudy", on: { monday: true, tuesday: false, wednesday: true }, note: undefined }),
  "record with less": as(forecast.echoReport, { highC: 1, lowC: 2, sky: "clear", on: {}, note: null }, { highC: 1, lowC: 2, sky: "clear", on: { monday: false, tuesday: false, wednesday: false }, note: undefined }),
  "more arguments": shown(forecast.get("Paris", 3, "what?")) === shown(report),
  enum: both(forecast.echoSky, "clear", "partly-cloudy"),
  flags: both(forecast.echoDays, { monday: true, tuesday: false, wednesday: false }),
  variant: both(forecast.echoShape, { tag: "circle", val: 1.5 }, { tag: "square" }, { tag: "polygon", val: [[1, -1], [2, 3]] }),
  "list of an alias": both(forecast.echoCities, [], ["", "ä", "🐍\0"]) && as(forecast.echoCities, new Set(["a", "b"]), ["a", "b"]),
  bool: both(forecast.echoBool, true, false),
  u8: both(forecast.echoU8, 0, 255),
  s8: both(forecast.echoS8, -128, 127),
  u16: both(forecast.echoU16, 0, 65535),
  s32: both(forecast.echoS32, -(2 ** 31), 2 ** 31 - 1),
  u64: both(forecast.echoU64, 0n, 2n ** 53n + 1n, 2n ** 64n - 1n),
  s64: both(forecast.echoS64, -(2n ** 63n), 2n ** 63n - 1n),
  "numbers as u64": as(forecast.echoU64, 2 ** 53 - 1, 2n ** 53n - 1n) && as(forecast.echoS64, -5, -5n),
  f32: both(forecast.echoF32, 0.5, Infinity, -Infinity) && forecast.echoF32(0.1) === Math.fround(0.1),
  f64: both(forecast.echoF64, 0.1, 1e308, -Infinity, 5e-324),
  "zero has a sign": Object.is(forecast.echoF64(-0), -0) && Object.is(forecast.echoF32(-0), -0),
  "not a number": Number.isNaN(forecast.echoF64(NaN)),
  char: both(forecast.echoChar, "a", "\0", "🐍", "\uffff"),
  string: both(forecast.echoString, "", "ä", "🐍\0\n"),
  bytes: both(forecast.echoBytes, new Uint8Array([]), new Uint8Array([0, 255])) && as(forecast.echoBytes, [1, 2], new Uint8Array([1, 2])),
  "bytes of a buffer": as(forecast.echoBytes, Buffer.from("ab"), new Uint8Array([97, 98])) && as(forecast.echoBytes, new Uint16Array([1, 2]), new Uint8Array([1, 2])),
  numbers: both(forecast.echoNumbers, new Uint32Array([0, 2 ** 32 - 1])) && as(forecast.echoNumbers, [3], new Uint32Array([3])),
  fractions: both(forecast.echoFractions, new Float64Array([0.1, -1e300])),
  "part of an array": as(forecast.echoFractions, new Float64Array([1, 2, 3]).subarray(1, 2), new Float64Array([2])),
  "long numbers": both(forecast.echoLongNumbers, new BigInt64Array([-(2n ** 63n), 0n])) && as(forecast.echoLongNumbers, [1, 2n], new BigInt64Array([1n, 2n])),
  truths: both(forecast.echoTruths, [], [true, false]),
  letters: both(forecast.echoLetters, ["a", "🐍"]),
  options: both(forecast.echoOptions, { tag: "none" }, { tag: "some", val: undefined }, { tag: "some", val: 5 }),
  "options in short": as(forecast.echoOptions, undefined, { tag: "none" }) && as(forecast.echoOptions, 5, { tag: "some", val: 5 }),
  tuple: both(forecast.echoPair, ["a", 1]),
  results: both(forecast.echoResults, [{ tag: "ok", val: 1 }, { tag: "err", val: "x" }]) && both(forecast.echoNothing, [{ tag: "ok" }, { tag: "err" }]),
  "a million bytes": forecast.echoBytes(large).every((value, index) => value === large[index]),
};
