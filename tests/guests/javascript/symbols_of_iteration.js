// Own collections that behave like built-in ones.
class Matrix {
  #rows;
  constructor(...rows) {
    this.#rows = rows;
  }
  get [Symbol.toStringTag]() {
    return "Matrix";
  }
  *[Symbol.iterator]() {
    for (const row of this.#rows) yield* row;
  }
  *rows() {
    yield* this.#rows;
  }
  [Symbol.toPrimitive](hint) {
    return hint === "number"
      ? [...this].reduce((a, b) => a + b)
      : `Matrix(${this.#rows.map((row) => row.join(" ")).join("; ")})`;
  }
  static [Symbol.hasInstance](value) {
    return typeof value?.rows === "function";
  }
}
const matrix = new Matrix([1, 2], [3, 4]);
console.log(
  [...matrix],
  +matrix,
  `${matrix}`,
  Object.prototype.toString.call(matrix),
  matrix instanceof Matrix,
  { rows() {} } instanceof Matrix,
  Math.max(...matrix),
);
console.log(
  Array.from(matrix, (n) => n * n),
  new Set(matrix).size,
  Object.fromEntries([...matrix.rows()]),
  [...matrix.rows()].flat(),
);
class Graph {
  #edges = new Map();
  connect(a, b) {
    (this.#edges.get(a) ?? this.#edges.set(a, new Set()).get(a)).add(b);
    (this.#edges.get(b) ?? this.#edges.set(b, new Set()).get(b)).add(a);
    return this;
  }
  *[Symbol.iterator]() {
    const seen = new Set();
    const visit = function* (node) {
      if (seen.has(node)) return;
      seen.add(node);
      yield node;
      for (const next of this.#edges.get(node)) yield* visit.call(this, next);
    };
    for (const node of this.#edges.keys()) yield* visit.call(this, node);
  }
}
console.log([...new Graph().connect("a", "b").connect("b", "c").connect("x", "y")]);
const lines = {
  text: "one\ntwo\nthree",
  [Symbol.iterator]() {
    return this.text.split("\n")[Symbol.iterator]();
  },
};
const [head, ...others] = lines;
console.log(head, others, Promise.all(lines) instanceof Promise);
const counter = {
  from: 1,
  to: 3,
  async *[Symbol.asyncIterator]() {
    for (let n = this.from; n <= this.to; n++) yield n;
  },
};
(async () => {
  let sum = 0;
  for await (const n of counter) sum += n;
  console.log("sum", sum);
})();
const iterator = matrix[Symbol.iterator]();
iterator.next();
console.log([...iterator], iterator.next(), typeof iterator[Symbol.iterator]);
const paged = (function* () {
  const size = 2;
  let page = 0;
  while (page < 3) yield Array.from({ length: size }, (_, i) => page * size + i, page++);
})();
console.log([...paged]);
const peekable = (source) => {
  const it = source[Symbol.iterator]();
  let next = it.next();
  return {
    get peek() {
      return next.value;
    },
    next() {
      const current = next;
      next = it.next();
      return current;
    },
    [Symbol.iterator]() {
      return this;
    },
  };
};
const letters = peekable("xyz");
console.log(letters.peek, letters.next().value, letters.peek, [...letters]);
