// Generators: values in and out, delegation, early ends.
function* naturals(from = 1) {
  while (true) yield from++;
}
function* take(count, source) {
  for (const value of source) {
    if (count-- <= 0) return "enough";
    yield value;
  }
}
console.log([...take(5, naturals())]);

function* conversation() {
  const name = yield "who?";
  const age = yield `hello ${name}, how old?`;
  return `${name} is ${age}`;
}
const talk = conversation();
console.log(talk.next(), talk.next("Ada"), talk.next(36), talk.next());

function* inner() {
  try {
    yield 1;
    yield 2;
  } finally {
    console.log("cleaned");
  }
  return "result of inner";
}
function* outer() {
  const value = yield* inner();
  yield value;
  yield* "ab";
  yield* [3, 4];
}
console.log([...outer()]);
for (const value of outer()) {
  console.log(value);
  break;
}
const thrown = (function* () {
  try {
    yield 1;
  } catch (error) {
    yield `caught ${error.message}`;
  }
})();
thrown.next();
console.log(thrown.throw(new Error("inside")), thrown.next());
const returned = naturals();
console.log(returned.next(), returned.return(42), returned.next());
const tree = { value: 4, left: { value: 2, left: { value: 1 }, right: { value: 3 } }, right: { value: 6 } };
function* walk(node) {
  if (!node) return;
  yield* walk(node.left);
  yield node.value;
  yield* walk(node.right);
}
console.log([...walk(tree)]);
const fibonacci = {
  *[Symbol.iterator]() {
    let [a, b] = [0, 1];
    for (;;) {
      yield a;
      [a, b] = [b, a + b];
    }
  },
};
const [zero, one, , two, ...none] = take(6, fibonacci);
console.log(zero, one, two, none);
console.log(Object.prototype.toString.call(talk), talk[Symbol.iterator]() === talk);
