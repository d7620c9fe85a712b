// Events, signals, dependency tracking.
class Emitter {
  #listeners = new Map();
  on(name, listener) {
    (this.#listeners.get(name) ?? this.#listeners.set(name, new Set()).get(name)).add(listener);
    return () => this.#listeners.get(name).delete(listener);
  }
  once(name, listener) {
    const off = this.on(name, (...values) => {
      off();
      listener(...values);
    });
  }
  emit(name, ...values) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(...values);
    return this;
  }
}
const emitter = new Emitter();
const log = [];
const off = emitter.on("x", (value) => log.push(`always ${value}`));
emitter.once("x", (value) => log.push(`once ${value}`));
emitter.emit("x", 1).emit("x", 2);
off();
emitter.emit("x", 3).emit("unknown");
console.log(log);
let current = null;
const signal = (value) => {
  const readers = new Set();
  return [
    () => {
      if (current) readers.add(current);
      return value;
    },
    (next) => {
      if (Object.is(next, value)) return;
      value = typeof next === "function" ? next(value) : next;
      for (const reader of [...readers]) reader();
    },
  ];
};
const effect = (action) => {
  const run = () => {
    const before = current;
    current = run;
    try {
      action();
    } finally {
      current = before;
    }
  };
  run();
};
const computed = (f) => {
  const [get, set] = signal();
  effect(() => set(f()));
  return get;
};
const [count, setCount] = signal(1);
const double = computed(() => count() * 2);
const label = computed(() => (double() > 5 ? "large" : "small"));
effect(() => console.log("shown", count(), double(), label()));
setCount(2);
setCount(2);
setCount((n) => n + 1);
const reactive = (object, onChange, path = []) =>
  new Proxy(object, {
    get: (target, key) => {
      const value = Reflect.get(target, key);
      return typeof value === "object" && value ? reactive(value, onChange, [...path, key]) : value;
    },
    set: (target, key, value) => {
      const before = target[key];
      onChange([...path, key].join("."), before, value);
      return Reflect.set(target, key, value);
    },
    deleteProperty: (target, key) => {
      onChange([...path, key].join("."), target[key], undefined);
      return Reflect.deleteProperty(target, key);
    },
  });
const changes = [];
const state = reactive({ user: { name: "Ada", tags: ["a"] }, n: 1 }, (...change) => changes.push(change));
state.user.name = "Grace";
state.user.tags.push("b");
state.n++;
delete state.n;
console.log(changes);
const history = (initial) => {
  const past = [];
  let present = initial;
  let future = [];
  return {
    get value() {
      return present;
    },
    set(value) {
      past.push(present);
      present = value;
      future = [];
      return this;
    },
    undo() {
      if (past.length) {
        future.unshift(present);
        present = past.pop();
      }
      return this;
    },
    redo() {
      if (future.length) {
        past.push(present);
        present = future.shift();
      }
      return this;
    },
  };
};
const edits = history("").set("a").set("ab").set("abc");
console.log(
  edits.undo().undo().value,
  edits.redo().value,
  edits.set("ax").redo().value,
  edits.undo().undo().undo().undo().value,
);
const middleware =
  (...layers) =>
  (request) =>
    layers.reduceRight(
      (next, layer) => (value) => layer(value, next),
      (value) => value,
    )(request);
console.log(
  middleware(
    (r, next) => ({ ...next({ ...r, auth: true }), outer: 1 }),
    (r, next) => (r.path === "/" ? next(r) : { status: 404 }),
    (r) => ({ status: 200, auth: r.auth }),
  )({ path: "/" }),
  middleware(
    (r, next) => next(r * 2),
    (r, next) => next(r + 1),
  )(5),
);
const container = (factories) => {
  const made = {};
  return new Proxy(
    {},
    { get: (_, name) => (name in made ? made[name] : (made[name] = factories[name](container_proxy()))) },
  );
  function container_proxy() {
    return new Proxy({}, { get: (_, name) => made[name] ?? (made[name] = factories[name](container_proxy())) });
  }
};
const services = container({
  config: () => ({ url: "db://x" }),
  db: ({ config }) => ({ connected: config.url }),
  app: ({ db, config }) => `app on ${db.connected} via ${config.url}`,
});
console.log(services.app, services.db === services.db);
const pipeline = [[1, 2, 3], [4], []]
  .map((list) => list.map((n) => () => n))
  .flat()
  .map((f) => f());
console.log(pipeline);
