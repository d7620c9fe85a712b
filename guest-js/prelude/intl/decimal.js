// Exact decimal numbers: `0.DIGITS × 10^point`. `digits` has no zeros at its ends, and is empty for zero.

const { BigInt } = globalThis;

export const NAN = { kind: "nan", negative: false, digits: "", point: 0 };
const finite = (negative, digits, point) => ({ kind: "finite", negative, digits, point });

function normal(negative, digits, point) {
  const start = /^0*/.exec(digits)[0].length;
  const trimmed = digits.slice(start).replace(/0+$/, "");
  return finite(negative, trimmed, trimmed === "" ? 0 : point - start);
}

function ofText(text) {
  const match = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const whole = match[2] ?? "";
  const point = whole.length + Number(match[5] ?? 0);
  return Math.abs(point) > 1e6 ? undefined : normal(match[1] === "-", whole + (match[3] ?? match[4] ?? ""), point);
}

// Converts an argument to a decimal number. A number counts as its shortest text.
export function decimal(value) {
  if (typeof value === "object" || typeof value === "function") {
    value = primitive(value);
  }
  if (typeof value === "bigint") return ofText(value.toString());
  if (typeof value === "string") {
    const text = value.trim();
    if (text === "") return normal(false, "", 0);
    const exact = ofText(text);
    if (exact !== undefined) return exact;
    if (/^0[xob]/i.test(text) && !Number.isNaN(Number(text))) return ofText(BigInt(text).toString());
  }
  const number = Number(value);
  if (Number.isNaN(number)) return NAN;
  const negative = number < 0 || Object.is(number, -0);
  if (!Number.isFinite(number)) return { kind: "infinity", negative, digits: "", point: 0 };
  return { ...ofText(String(Math.abs(number))), negative };
}

function primitive(value) {
  const exotic = value?.[Symbol.toPrimitive];
  if (exotic !== undefined && exotic !== null) return exotic.call(value, "number");
  const own = value === null ? null : value.valueOf();
  return own !== null && typeof own === "object" ? value.toString() : own;
}

export const isZero = (number) => number.kind === "finite" && number.digits === "";
export const magnitude = (number) => (number.digits === "" ? 0 : number.point - 1);
export const scaled = (number, power) => (number.digits === "" ? number : { ...number, point: number.point + power });

// -1, 0 or 1, for finite numbers without their signs.
function compareMagnitudes(one, other) {
  if (one.digits === "" || other.digits === "") return Math.sign(one.digits.length - other.digits.length);
  if (one.point !== other.point) return one.point < other.point ? -1 : 1;
  return one.digits === other.digits ? 0 : one.digits < other.digits ? -1 : 1;
}

export function same(one, other) {
  return one.kind === other.kind && one.negative === other.negative && compareMagnitudes(one, other) === 0;
}

// Whether rounding goes away from zero. `half` is -1, 0 or 1 for below, at or above the middle.
function goesUp(mode, negative, half, isOdd) {
  switch (mode) {
    case "ceil":
      return !negative;
    case "floor":
      return negative;
    case "expand":
      return true;
    case "trunc":
      return false;
    default:
  }
  if (half !== 0) return half > 0;
  switch (mode) {
    case "halfCeil":
      return !negative;
    case "halfFloor":
      return negative;
    case "halfTrunc":
      return false;
    case "halfEven":
      return isOdd;
    default:
      return true;
  }
}

// Rounded to a multiple of `increment` × 10^-`places`.
export function roundTo(number, places, mode, increment = 1) {
  if (number.kind !== "finite" || number.digits === "") return number;
  const kept = number.point + places;
  if (increment === 1 && kept >= number.digits.length) return number;
  const whole = kept <= 0 ? 0n : BigInt(number.digits.slice(0, kept).padEnd(kept, "0"));
  const rest = kept >= number.digits.length ? "" : kept < 0 ? "0".repeat(-kept) + number.digits : number.digits.slice(kept);
  const step = BigInt(increment);
  let count = whole / step;
  const left = whole % step;
  if (left === 0n && !/[1-9]/.test(rest)) return number;
  const doubled = 2n * left;
  let half = doubled === step ? 0 : doubled > step ? 1 : -1;
  if (step === 1n) half = rest[0] === "5" ? (/[1-9]/.test(rest.slice(1)) ? 1 : 0) : rest[0] > "5" ? 1 : -1;
  else if (/[1-9]/.test(rest)) half = doubled >= step ? 1 : doubled + 1n === step ? (rest[0] === "5" && !/[1-9]/.test(rest.slice(1)) ? 0 : rest[0] >= "5" ? 1 : -1) : -1;
  if (goesUp(mode, number.negative, half, count % 2n === 1n)) count += 1n;
  const text = (count * step).toString();
  return normal(number.negative, text, text.length - places);
}

// The digits before and after the point, with minimum numbers of each.
export function places(number, minimumWhole, minimumFraction) {
  const { digits, point } = number;
  const whole = point <= 0 ? "" : digits.slice(0, point).padEnd(point, "0");
  const fraction = point < 0 ? "0".repeat(digits === "" ? 0 : -point) + digits : digits.slice(point);
  return [whole.padStart(minimumWhole, "0"), fraction.padEnd(minimumFraction, "0")];
}
