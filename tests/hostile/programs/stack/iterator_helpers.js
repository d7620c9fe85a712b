// A hundred thousand maps, each over the one before.
// expect: exception RangeError or crash

let chain = [1].values();
for (let count = 0; count < 100_000; count++) chain = chain.map((value) => value);
chain.next();
