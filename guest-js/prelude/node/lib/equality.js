// Deep equality, strict and loose, with the rules of `assert`.

const tagOf = (value) => Object.prototype.toString.call(value);
const isObject = (value) => typeof value === "object" && value !== null;
const isPrimitiveBox = (value) =>
  value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt || value instanceof Symbol;

const { getPrototypeOf, is, keys } = Object;
const enumerable = Object.prototype.propertyIsEnumerable;
const symbols = (value) => Object.getOwnPropertySymbols(value).filter((key) => enumerable.call(value, key));
const isIndex = (key) => /^(?:0|[1-9]\d*)$/.test(key);

// Compares values. `pairs` contains those that are being compared, so that cycles end.
function equal(left, right, strict, pairs) {
  if (left === right) return left !== 0 || !strict || is(left, right);
  if (!isObject(left) || !isObject(right)) {
    if (typeof left === "function" || typeof right === "function") return false;
    if (strict) return typeof left === "number" && Number.isNaN(left) && Number.isNaN(right);
    if (isObject(left) || isObject(right)) return false;
    return left == right || (Number.isNaN(left) && Number.isNaN(right));
  }
  if (strict && getPrototypeOf(left) !== getPrototypeOf(right)) return false;
  if (tagOf(left) !== tagOf(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (!sameContent(left, right, strict)) return false;
  const known = pairs.get(left);
  if (known !== undefined && known.has(right)) return true;
  if (known === undefined) pairs.set(left, new Set([right]));
  else known.add(right);
  const outcome = sameParts(left, right, strict, pairs);
  pairs.get(left).delete(right);
  return outcome;
}

// Contents that are not in properties.
function sameContent(left, right, strict) {
  // An invalid date is not equal to any date.
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  if (left instanceof URL) return right instanceof URL && left.href === right.href;
  if (left instanceof RegExp) {
    return right instanceof RegExp && String(left) === String(right) && left.lastIndex === right.lastIndex;
  }
  if (Error.isError(left)) {
    return Error.isError(right) && left.message === right.message && left.name === right.name;
  }
  if (isPrimitiveBox(left)) return isPrimitiveBox(right) && is(left.valueOf(), right.valueOf());
  if (left instanceof ArrayBuffer) {
    return right instanceof ArrayBuffer && sameNumbers(new Uint8Array(left), new Uint8Array(right), true);
  }
  if (left instanceof DataView) return sameNumbers(bytes(left), bytes(right), true);
  if (ArrayBuffer.isView(left)) return ArrayBuffer.isView(right) && sameNumbers(left, right, strict);
  return true;
}

const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function sameNumbers(left, right, strict) {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    const same = strict ? is(left[index], right[index]) : left[index] == right[index];
    if (!same && !(Number.isNaN(left[index]) && Number.isNaN(right[index]))) return false;
  }
  return true;
}

function sameParts(left, right, strict, pairs) {
  const skipsIndices = ArrayBuffer.isView(left);
  if (Array.isArray(left) && left.length !== right.length) return false;
  const own = (value) => (skipsIndices ? keys(value).filter((key) => !isIndex(key)) : keys(value));
  const names = own(left);
  if (names.length !== own(right).length) return false;
  if (names.some((name) => !enumerable.call(right, name))) return false;
  if (strict) {
    const hidden = symbols(left);
    if (hidden.length !== symbols(right).length) return false;
    if (hidden.some((name) => !enumerable.call(right, name))) return false;
    names.push(...hidden);
  }
  // These properties are not enumerable.
  if (Error.isError(left) && !["cause", "errors"].every((name) => equal(left[name], right[name], strict, pairs))) return false;
  if (left instanceof Set && !sameSets(left, right, strict, pairs)) return false;
  if (left instanceof Map && !sameMaps(left, right, strict, pairs)) return false;
  return names.every((name) => equal(left[name], right[name], strict, pairs));
}

function sameSets(left, right, strict, pairs) {
  if (left.size !== right.size) return false;
  const rest = [...right].filter((value) => !left.has(value));
  for (const value of left) {
    if (right.has(value)) continue;
    if (strict && !isObject(value)) return false;
    const found = rest.findIndex((other) => equal(value, other, strict, pairs));
    if (found < 0) return false;
    rest.splice(found, 1);
  }
  return true;
}

function sameMaps(left, right, strict, pairs) {
  if (left.size !== right.size) return false;
  const rest = [...right].filter(([key]) => !left.has(key));
  for (const [key, value] of left) {
    if (right.has(key)) {
      if (!equal(value, right.get(key), strict, pairs)) return false;
      continue;
    }
    if (strict && !isObject(key)) return false;
    const found = rest.findIndex(
      ([other, content]) => equal(key, other, strict, pairs) && equal(value, content, strict, pairs),
    );
    if (found < 0) return false;
    rest.splice(found, 1);
  }
  return true;
}

export const isDeepEqual = (left, right) => equal(left, right, false, new Map());
export const isDeepStrictEqual = (left, right) => equal(left, right, true, new Map());
