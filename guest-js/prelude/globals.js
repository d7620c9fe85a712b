// How the prelude gives programs a global: one that can be shadowed or replaced, and that no listing of globals shows.

export function define(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

export function defineAll(values) {
  for (const [name, value] of Object.entries(values)) define(name, value);
}

// Names a function of the prelude as programs know it; the bundler may have given it another name.
export function named(name, value) {
  return Object.defineProperty(value, "name", { value: name, configurable: true });
}

// Gives a class of the prelude the look of a built-in one: its methods cannot be enumerated, its tag says what it is.
export function builtIn(name, type) {
  named(name, type);
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });
  return type;
}
