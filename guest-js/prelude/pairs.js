// What classes with pairs of a name and a value have in common: iterators, `forEach`, and checks of arguments as in Web IDL.

const { defineProperty } = Object;
const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

// Throws unless a method got as many arguments as it needs.
export function needs(args, count, method) {
  if (args.length >= count) return;
  const [plural, present] = [count === 1 ? "" : "s", args.length === 0 ? "none" : `only ${args.length}`];
  throw new TypeError(`${method}: ${count} argument${plural} required, but ${present} present.`);
}

// Adds `keys`, `values`, `entries` and `forEach`. `pairsOf` returns the pairs at the time of each step, as the standard says.
export function iterable(type, pairsOf) {
  const { name, prototype } = type;
  const states = new WeakMap();
  const iterators = Object.create(IteratorPrototype, {
    [Symbol.toStringTag]: { value: `${name} Iterator`, configurable: true },
  });
  iterators.next = function next() {
    const state = states.get(this);
    if (state === undefined) throw new TypeError(`'next' called on an object that is not a valid instance of ${name} Iterator.`);
    const pair = pairsOf(state.target)[state.index];
    if (pair === undefined) return { value: undefined, done: true };
    state.index += 1;
    return { value: state.part(pair), done: false };
  };
  const method = (own, part) =>
    ({
      [own]() {
        pairsOf(this);
        const iterator = Object.create(iterators);
        states.set(iterator, { target: this, index: 0, part });
        return iterator;
      },
    })[own];
  const methods = {
    keys: method("keys", ([key]) => key),
    values: method("values", ([, value]) => value),
    entries: method("entries", ([key, value]) => [key, value]),
    forEach(callback, self = undefined) {
      needs(arguments, 1, `${name}.forEach`);
      if (typeof callback !== "function") throw new TypeError(`Failed to execute 'forEach' on '${name}': parameter 1 is not of type 'Function'.`);
      for (let index = 0, pair; (pair = pairsOf(this)[index]) !== undefined; index += 1) callback.call(self, pair[1], pair[0], this);
    },
  };
  for (const [own, value] of Object.entries(methods)) {
    if (own === "forEach") defineProperty(value, "length", { value: 1, configurable: true });
    defineProperty(prototype, own, { value, writable: true, configurable: true });
  }
  defineProperty(prototype, Symbol.iterator, { value: methods.entries, writable: true, configurable: true });
}

// Members of classes of the web are enumerable.
export function enumerable(type) {
  for (const key of Object.getOwnPropertyNames(type.prototype))
    if (key !== "constructor") defineProperty(type.prototype, key, { enumerable: true });
}
