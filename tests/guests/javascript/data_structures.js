// Lists, trees, heaps, caches.
class LinkedList {
  #head = null;
  #size = 0;
  add(value) {
    this.#head = { value, next: this.#head };
    this.#size++;
    return this;
  }
  reverse() {
    let previous = null;
    for (let node = this.#head; node;) [node.next, previous, node] = [previous, node, node.next];
    this.#head = previous;
    return this;
  }
  get size() {
    return this.#size;
  }
  *[Symbol.iterator]() {
    for (let node = this.#head; node; node = node.next) yield node.value;
  }
}
const list = new LinkedList().add(1).add(2).add(3);
console.log([...list], [...list.reverse()], list.size);
class Tree {
  insert(value) {
    if (this.value === undefined) this.value = value;
    else if (value < this.value) (this.left ??= new Tree()).insert(value);
    else (this.right ??= new Tree()).insert(value);
    return this;
  }
  *[Symbol.iterator]() {
    if (this.left) yield* this.left;
    yield this.value;
    if (this.right) yield* this.right;
  }
  get depth() {
    return 1 + Math.max(this.left?.depth ?? 0, this.right?.depth ?? 0);
  }
}
const tree = [50, 30, 70, 20, 40, 60, 80, 10].reduce((tree, value) => tree.insert(value), new Tree());
console.log([...tree], tree.depth, tree);
class PriorityQueue {
  #items = [];
  constructor(compare = (a, b) => a - b) {
    this.compare = compare;
  }
  push(value) {
    let at = this.#items.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.compare(this.#items[at], this.#items[parent]) >= 0) break;
      [this.#items[at], this.#items[parent]] = [this.#items[parent], this.#items[at]];
      at = parent;
    }
    return this;
  }
  pop() {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length) {
      this.#items[0] = last;
      for (let at = 0; ;) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2])
          if (child < this.#items.length && this.compare(this.#items[child], this.#items[least]) < 0) least = child;
        if (least === at) break;
        [this.#items[at], this.#items[least]] = [this.#items[least], this.#items[at]];
        at = least;
      }
    }
    return top;
  }
  get size() {
    return this.#items.length;
  }
}
const queue = new PriorityQueue();
[5, 3, 8, 1, 9, 2].forEach((value) => queue.push(value));
const drained = [];
while (queue.size) drained.push(queue.pop());
console.log(drained);
class Trie {
  root = {};
  add(word) {
    [...word].reduce((node, letter) => (node[letter] ??= {}), this.root).end = true;
    return this;
  }
  *words(prefix, node = [...prefix].reduce((at, letter) => at?.[letter], this.root)) {
    if (!node) return;
    if (node.end) yield prefix;
    for (const letter of Object.keys(node)
      .filter((key) => key.length === 1)
      .sort())
      yield* this.words(prefix + letter, node[letter]);
  }
}
const trie = new Trie().add("car").add("card").add("care").add("cat").add("dog");
console.log([...trie.words("car")], [...trie.words("x")]);
class Lru {
  #map = new Map();
  constructor(limit) {
    this.limit = limit;
  }
  get(key) {
    if (!this.#map.has(key)) return undefined;
    const value = this.#map.get(key);
    this.#map.delete(key);
    this.#map.set(key, value);
    return value;
  }
  set(key, value) {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size > this.limit) this.#map.delete(this.#map.keys().next().value);
  }
  get keys() {
    return [...this.#map.keys()];
  }
}
const cache = new Lru(2);
cache.set("a", 1);
cache.set("b", 2);
cache.get("a");
cache.set("c", 3);
console.log(cache.keys, cache.get("b"));
