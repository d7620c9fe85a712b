// Definition of globals for programs: they can be shadowed or replaced, and are not enumerable.

export function define(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

export function defineAll(values) {
  for (const [name, value] of Object.entries(values)) define(name, value);
}

// Gives a function its public name; the bundler may have changed it.
export function named(name, value) {
  return Object.defineProperty(value, "name", { value: name, configurable: true });
}

// Makes a class look like a built-in one: its methods are not enumerable, and it has a tag.
export function builtIn(name, type) {
  named(name, type);
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });
  return type;
}
