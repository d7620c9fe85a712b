// Graphs: shortest paths, orders, components.
const roads = { A: { B: 7, C: 9, F: 14 }, B: { C: 10, D: 15 }, C: { D: 11, F: 2 }, D: { E: 6 }, E: {}, F: { E: 9 } };
for (const [from, list] of Object.entries(roads))
  for (const [to, length] of Object.entries(list)) roads[to][from] ??= length;
function dijkstra(start) {
  const distance = Object.fromEntries(Object.keys(roads).map((node) => [node, Infinity]));
  const previous = {};
  const open = new Set(Object.keys(roads));
  distance[start] = 0;
  while (open.size) {
    const node = [...open].reduce((best, each) => (distance[each] < distance[best] ? each : best));
    open.delete(node);
    for (const [next, length] of Object.entries(roads[node])) {
      if (distance[node] + length < distance[next]) {
        distance[next] = distance[node] + length;
        previous[next] = node;
      }
    }
  }
  return { distance, path: (to) => (to === undefined ? [] : [...dijkstraPath(previous, to)]) };
}
function* dijkstraPath(previous, to) {
  if (previous[to]) yield* dijkstraPath(previous, previous[to]);
  yield to;
}
const { distance, path } = dijkstra("A");
console.log(distance, path("E"));
const tasks = {
  shoes: ["socks", "trousers"],
  socks: [],
  trousers: ["underwear"],
  underwear: [],
  jacket: ["shirt"],
  shirt: [],
};
function topological(graph) {
  const order = [];
  const state = new Map();
  const visit = (node) => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "open") throw new Error(`cycle at ${node}`);
    state.set(node, "open");
    graph[node].forEach(visit);
    state.set(node, "done");
    order.push(node);
  };
  Object.keys(graph).forEach(visit);
  return order;
}
console.log(topological(tasks));
try {
  topological({ a: ["b"], b: ["a"] });
} catch (error) {
  console.log(error.message);
}
class UnionFind {
  #parent = new Map();
  find(x) {
    if (!this.#parent.has(x)) this.#parent.set(x, x);
    const parent = this.#parent.get(x);
    if (parent === x) return x;
    const root = this.find(parent);
    this.#parent.set(x, root);
    return root;
  }
  union(a, b) {
    this.#parent.set(this.find(a), this.find(b));
  }
}
const sets = new UnionFind();
for (const [a, b] of [
  [1, 2],
  [3, 4],
  [2, 3],
  [5, 6],
])
  sets.union(a, b);
console.log(sets.find(1) === sets.find(4), sets.find(1) === sets.find(5));
const edges = Object.entries(roads)
  .flatMap(([from, list]) => Object.entries(list).map(([to, length]) => ({ from, to, length })))
  .filter(({ from, to }) => from < to)
  .sort((a, b) => a.length - b.length || (a.from + a.to < b.from + b.to ? -1 : 1));
const forest = new UnionFind();
const tree = edges.filter(({ from, to }) => forest.find(from) !== forest.find(to) && (forest.union(from, to), true));
console.log(
  tree.map(({ from, to, length }) => `${from}${to}${length}`).join(" "),
  tree.reduce((sum, { length }) => sum + length, 0),
);
