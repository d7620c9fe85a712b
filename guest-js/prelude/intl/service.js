// The common part of the constructors of `Intl`.

const slotsByObject = new WeakMap();

export function slotsOf(object, name, method) {
  const entry = typeof object === "object" && object !== null ? slotsByObject.get(object) : undefined;
  if (entry?.name !== name) {
    const shown = typeof object === "object" && object !== null ? `#<${object.constructor?.name ?? "Object"}>` : String(object);
    throw new TypeError(`Method Intl.${name}.prototype.${method} called on incompatible receiver ${shown}`);
  }
  return entry.slots;
}

export const keep = (object, name, slots) => slotsByObject.set(object, { name, slots });

export function hidden(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
}

// A constructor: `initialise` reads the arguments, `resolved` names the properties of `resolvedOptions`, `bound` are
// getters of functions that are bound to their object.
export function defineService({ name, callable, initialise, resolved, supported, bound = {}, methods, arity = 0 }) {
  const build = (target, args) => {
    const slots = initialise(...args);
    const prototype = target.prototype;
    const object = Object.create(typeof prototype === "object" && prototype !== null ? prototype : Service.prototype);
    keep(object, name, slots);
    return object;
  };
  const Service = {
    [name]: function (...args) {
      if (new.target === undefined && !callable) throw new TypeError(`Constructor Intl.${name} requires 'new'`);
      return build(new.target ?? Service, args);
    },
  }[name];
  Object.defineProperty(Service, "length", { value: arity, configurable: true });
  Object.defineProperty(Service, "prototype", { writable: false });
  const prototype = Service.prototype;
  hidden(prototype, "constructor", Service);
  Object.defineProperty(prototype, Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
  hidden(Service, "supportedLocalesOf", {
    supportedLocalesOf(locales) {
      return supported(locales, arguments[1]);
    },
  }.supportedLocalesOf);
  if (resolved !== undefined)
    hidden(prototype, "resolvedOptions", {
      resolvedOptions() {
        const slots = slotsOf(this, name, "resolvedOptions");
        const result = {};
        for (const key of resolved) if (slots[key] !== undefined) result[key] = slots[key];
        return result;
      },
    }.resolvedOptions);
  for (const [key, method] of Object.entries(methods ?? {})) hidden(prototype, key, method);
  for (const [key, make] of Object.entries(bound)) {
    const kept = new WeakMap();
    const descriptor = Object.getOwnPropertyDescriptor(
      {
        get [key]() {
          const slots = slotsOf(this, name, key);
          if (!kept.has(this)) {
            const work = make(slots);
            kept.set(this, Object.defineProperty((...args) => work(...args), "name", { value: "" }));
            Object.defineProperty(kept.get(this), "length", { value: work.length });
          }
          return kept.get(this);
        },
      },
      key,
    );
    Object.defineProperty(prototype, key, { ...descriptor, enumerable: false });
  }
  return Service;
}
