// Symbols, known and unknown.
const own = Symbol("own");
const object = { [own]: 1, plain: 2, [Symbol.toStringTag]: "Custom" };
console.log(
  String(own),
  own.description,
  object[own],
  Object.keys(object),
  Object.getOwnPropertySymbols(object).length,
);
console.log(
  Object.prototype.toString.call(object),
  Symbol.for("shared") === Symbol.for("shared"),
  Symbol.keyFor(Symbol.for("shared")),
);
console.log(Symbol("a") === Symbol("a"), typeof own, own.toString());
class Even {
  static [Symbol.hasInstance](value) {
    return value % 2 === 0;
  }
}
console.log(2 instanceof Even, 3 instanceof Even);
const money = {
  [Symbol.toPrimitive](hint) {
    return hint === "number" ? 42 : hint === "string" ? "forty-two" : "default";
  },
};
console.log(+money, `${money}`, money + "", money * 2);
class List extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}
console.log(new List(1, 2, 3).map((x) => x) instanceof List, List.from([1]) instanceof List);
console.log([].concat({ length: 2, 0: "a", 1: "b", [Symbol.isConcatSpreadable]: true }));
const splitter = { [Symbol.split]: (text) => [...text].reverse() };
console.log("abc".split(splitter));
const matcher = {
  [Symbol.match]: () => ["matched"],
  [Symbol.replace]: (text, by) => `${text}:${by}`,
  [Symbol.search]: () => 7,
};
console.log("x".match(matcher), "x".replace(matcher, "y"), "x".search(matcher));
console.log(JSON.stringify({ [Symbol("s")]: 1, v: Symbol("v"), list: [Symbol("l")] }));
try {
  Symbol() + "";
} catch (error) {
  console.log(error.constructor.name);
}
try {
  new Symbol();
} catch (error) {
  console.log(error.constructor.name);
}
console.log(Object(own) == own, Object(own).description, Symbol.iterator in [], Symbol.asyncIterator.description);
