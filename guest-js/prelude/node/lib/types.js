// `util.types`.

const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const typed = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

// Whether a method that reads an internal slot of its object succeeds.
const answers = (method) => (value) => {
  try {
    method.call(value);
    return true;
  } catch {
    return false;
  }
};
const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
const isTyped = (name) => (value) => ArrayBuffer.isView(value) && typed.call(value) === name;
const AsyncFunction = (async () => {}).constructor;
const GeneratorFunction = function* () {}.constructor;
const AsyncGeneratorFunction = async function* () {}.constructor;
const isBox = (type) => (value) => typeof value === "object" && answers(type.prototype.valueOf)(value);

export const types = {
  isArrayBuffer: (value) => value instanceof ArrayBuffer,
  isSharedArrayBuffer: (value) => value instanceof SharedArrayBuffer,
  isAnyArrayBuffer: (value) => value instanceof ArrayBuffer || value instanceof SharedArrayBuffer,
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isTypedArray: (value) => typed.call(value) !== undefined,
  isDataView: (value) => ArrayBuffer.isView(value) && typed.call(value) === undefined,
  isDate: answers(Date.prototype.getTime),
  isRegExp: (value) => value !== RegExp.prototype && answers(getter(RegExp, "source"))(value),
  isMap: answers(getter(Map, "size")),
  isSet: answers(getter(Set, "size")),
  isWeakMap: answers(function () {
    WeakMap.prototype.has.call(this, {});
  }),
  isWeakSet: answers(function () {
    WeakSet.prototype.has.call(this, {});
  }),
  isPromise: (value) => value instanceof Promise,
  isNativeError: (value) => Error.isError(value),
  isAsyncFunction: (value) => value instanceof AsyncFunction || value instanceof AsyncGeneratorFunction,
  isGeneratorFunction: (value) => value instanceof GeneratorFunction || value instanceof AsyncGeneratorFunction,
  isGeneratorObject: (value) => ["Generator", "AsyncGenerator"].includes(tag(value)),
  isMapIterator: (value) => tag(value) === "Map Iterator",
  isSetIterator: (value) => tag(value) === "Set Iterator",
  isModuleNamespaceObject: (value) => tag(value) === "Module",
  isNumberObject: isBox(Number),
  isStringObject: isBox(String),
  isBooleanObject: isBox(Boolean),
  isBigIntObject: isBox(BigInt),
  isSymbolObject: isBox(Symbol),
  isBoxedPrimitive: (value) => [Number, String, Boolean, BigInt, Symbol].some((type) => isBox(type)(value)),
  isArgumentsObject: (value) => tag(value) === "Arguments",
  // The language has no function for this.
  isProxy: () => false,
  isExternal: () => false,
  isCryptoKey: (value) => tag(value) === "CryptoKey",
  isKeyObject: (value) => value?.constructor?.name === "KeyObject",
};
for (const name of [
  "Uint8Array",
  "Uint8ClampedArray",
  "Uint16Array",
  "Uint32Array",
  "Int8Array",
  "Int16Array",
  "Int32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
])
  types[`is${name}`] = isTyped(name);
