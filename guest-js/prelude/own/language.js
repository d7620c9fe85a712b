// Built-in globals before any program runs. The bundler uses these for names that a file of the prelude does not
// declare, because a top-level declaration of a program with such a name would hide the global.

const own = globalThis;
const {
  AggregateError, Array, ArrayBuffer, BigInt, BigInt64Array, BigUint64Array, Boolean, DOMException, DataView, Date,
  Error, EvalError, FinalizationRegistry, Float32Array, Float64Array, Function, Int16Array, Int32Array, Int8Array,
  JSON, Map, Math, Number, Object, Promise, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set,
  SharedArrayBuffer, String, Symbol, SyntaxError, TypeError, URIError, Uint16Array, Uint32Array, Uint8Array,
  Uint8ClampedArray, WeakMap, WeakRef, WeakSet, decodeURI, decodeURIComponent, encodeURI, encodeURIComponent, escape,
  isFinite, isNaN, parseFloat, parseInt, unescape,
} = own;

export {
  own as globalThis,
  AggregateError, Array, ArrayBuffer, BigInt, BigInt64Array, BigUint64Array, Boolean, DOMException, DataView, Date,
  Error, EvalError, FinalizationRegistry, Float32Array, Float64Array, Function, Int16Array, Int32Array, Int8Array,
  JSON, Map, Math, Number, Object, Promise, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set,
  SharedArrayBuffer, String, Symbol, SyntaxError, TypeError, URIError, Uint16Array, Uint32Array, Uint8Array,
  Uint8ClampedArray, WeakMap, WeakRef, WeakSet, decodeURI, decodeURIComponent, encodeURI, encodeURIComponent, escape,
  isFinite, isNaN, parseFloat, parseInt, unescape,
};
