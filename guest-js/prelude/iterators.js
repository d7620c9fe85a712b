// Iterator helpers wrap one another, and the engine calls through all of them without checking its stack.

const DEEPEST = 1000;

const depths = new WeakMap();

export function installIterators() {
  for (const name of ["map", "filter", "take", "drop", "flatMap"]) {
    const helper = Iterator.prototype[name];
    const limited = {
      [name](argument) {
        const depth = (depths.get(this) ?? 0) + 1;
        if (depth > DEEPEST) throw new RangeError(`no more than ${DEEPEST} iterators can be wrapped in one another`);
        const iterator = helper.call(this, argument);
        depths.set(iterator, depth);
        return iterator;
      },
    }[name];
    Object.defineProperty(Iterator.prototype, name, { value: limited, writable: true, configurable: true });
  }
}
