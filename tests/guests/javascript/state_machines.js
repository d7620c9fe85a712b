// State machines and event sourcing.
const machine = {
  idle: { start: "running" },
  running: { pause: "paused", stop: "idle", fail: "broken" },
  paused: { resume: "running", stop: "idle" },
  broken: {},
};
class Runner {
  #state = "idle";
  #history = [];
  send(event) {
    const next = machine[this.#state][event];
    if (!next) throw new Error(`${event} is not possible while ${this.#state}`);
    this.#history.push(`${this.#state} --${event}--> ${next}`);
    this.#state = next;
    return this;
  }
  get state() {
    return this.#state;
  }
  get history() {
    return [...this.#history];
  }
}
const runner = new Runner().send("start").send("pause").send("resume").send("fail");
console.log(runner.history.join("\n"));
try {
  runner.send("start");
} catch (error) {
  console.log(error.message, runner.state);
}
const events = [
  { type: "opened", owner: "Ada" },
  { type: "deposited", amount: 100 },
  { type: "withdrawn", amount: 30 },
  { type: "withdrawn", amount: 500 },
  { type: "closed" },
];
const reducers = {
  opened: (state, { owner }) => ({ ...state, owner, open: true, balance: 0 }),
  deposited: (state, { amount }) => ({ ...state, balance: state.balance + amount }),
  withdrawn: (state, { amount }) =>
    amount > state.balance
      ? { ...state, refused: (state.refused ?? 0) + 1 }
      : { ...state, balance: state.balance - amount },
  closed: (state) => ({ ...state, open: false }),
};
const states = events.reduce((all, event) => [...all, reducers[event.type](all.at(-1), event)], [{}]);
console.log(states);
function createStore(reducer, state) {
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      state = reducer(state, action);
      for (const listener of listeners) listener(state, action);
    },
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
  };
}
const store = createStore((count, { type, by = 1 }) => ({ up: count + by, down: count - by })[type] ?? count, 0);
const unsubscribe = store.subscribe((count, { type }) => console.log(type, count));
store.dispatch({ type: "up" });
store.dispatch({ type: "up", by: 5 });
unsubscribe();
store.dispatch({ type: "down" });
console.log(store.state);
function* trafficLight() {
  while (true) {
    yield "green";
    yield "yellow";
    yield "red";
  }
}
const light = trafficLight();
console.log(Array.from({ length: 5 }, () => light.next().value).join(" "));
const bits = { READ: 1 << 0, WRITE: 1 << 1, RUN: 1 << 2 };
let mode = bits.READ | bits.WRITE;
mode &= ~bits.WRITE;
mode ^= bits.RUN;
console.log(
  mode,
  Object.entries(bits)
    .filter(([, bit]) => mode & bit)
    .map(([name]) => name),
);
