// A hundred thousand generators, each around the one before.
// expect: exception RangeError

function* wrapped(inner) {
  yield* inner;
}
let chain = [1];
for (let count = 0; count < 100_000; count++) chain = wrapped(chain);
chain.next();
