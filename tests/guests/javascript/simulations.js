// Bank, lift, inventory, cellular automata, with chance from a seed.
function* generator(seed) {
  for (;;) {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    yield ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
}
const chance = generator(2024);
const random = () => chance.next().value;
const int = (low, high) => low + Math.floor(random() * (high - low + 1));
const pick = (list) => list[int(0, list.length - 1)];
console.log(
  Array.from({ length: 5 }, () => int(1, 6)),
  pick(["red", "green", "blue"]),
  random().toFixed(6),
);
const accounts = new Map([
  ["ada", 100],
  ["bob", 50],
  ["cid", 0],
]);
const log = [];
for (let i = 0; i < 8; i++) {
  const [from, to, amount] = [pick([...accounts.keys()]), pick([...accounts.keys()]), int(1, 60)];
  if (from === to) continue;
  if (accounts.get(from) < amount) log.push(`${from} cannot pay ${amount}`);
  else {
    accounts.set(from, accounts.get(from) - amount).set(to, accounts.get(to) + amount);
    log.push(`${from} -> ${to}: ${amount}`);
  }
}
console.log(
  log,
  Object.fromEntries(accounts),
  [...accounts.values()].reduce((a, b) => a + b),
);
const rule = (number, width = 31, steps = 8) => {
  let row = Array.from({ length: width }, (_, i) => +(i === width >> 1));
  return Array.from({ length: steps }, () => {
    const shown = row.map((cell) => (cell ? "#" : ".")).join("");
    row = row.map((_, i) => (number >> ((row[i - 1] ?? 0) * 4 + row[i] * 2 + (row[i + 1] ?? 0))) & 1);
    return shown;
  }).join("\n");
};
console.log(rule(90));
console.log(rule(30, 21, 5));
class Inventory {
  #stock = {};
  #reserved = {};
  add(item, count) {
    this.#stock[item] = (this.#stock[item] ?? 0) + count;
    return this;
  }
  reserve(item, count) {
    if (this.available(item) < count) throw new RangeError(`only ${this.available(item)} ${item} left`);
    this.#reserved[item] = (this.#reserved[item] ?? 0) + count;
    return () => {
      this.#reserved[item] -= count;
    };
  }
  available(item) {
    return (this.#stock[item] ?? 0) - (this.#reserved[item] ?? 0);
  }
  toJSON() {
    return Object.keys(this.#stock)
      .sort()
      .map((item) => [item, this.available(item)]);
  }
}
const inventory = new Inventory().add("nut", 10).add("bolt", 3);
const release = inventory.reserve("bolt", 2);
try {
  inventory.reserve("bolt", 2);
} catch (error) {
  console.log(error.name, error.message);
}
release();
console.log(JSON.stringify(inventory), inventory.available("screw"));
const queue = [];
const served = [];
for (let minute = 0, busyUntil = 0, next = 1; minute < 30; minute++) {
  if (random() < 0.4) queue.push({ customer: next++, arrived: minute });
  if (minute >= busyUntil && queue.length) {
    const { customer, arrived } = queue.shift();
    busyUntil = minute + int(1, 4);
    served.push({ customer, waited: minute - arrived });
  }
}
console.log(
  served.length,
  queue.length,
  (served.reduce((sum, { waited }) => sum + waited, 0) / served.length).toFixed(2),
);
let position = [0, 0];
const visited = new Set(["0,0"]);
for (let step = 0; step < 200; step++) {
  const [dx, dy] = pick([
    [0, 1],
    [1, 0],
    [0, -1],
    [-1, 0],
  ]);
  position = [position[0] + dx, position[1] + dy];
  visited.add(position.join());
}
console.log(position, visited.size);
const evolve = (target) => {
  const letters = "abcdefghijklmnopqrstuvwxyz ";
  let best = Array.from(target, () => pick(letters)).join("");
  let generations = 0;
  const fit = (text) => [...text].filter((c, i) => c === target[i]).length;
  while (best !== target && generations < 500) {
    const children = Array.from({ length: 50 }, () =>
      [...best].map((c) => (random() < 0.08 ? pick(letters) : c)).join(""),
    );
    best = [best, ...children].sort((a, b) => fit(b) - fit(a))[0];
    generations++;
  }
  return [best, generations];
};
console.log(evolve("hello world"));
