// A promise that resolves to a promise, a hundred thousand deep.
// expect: value

let promise = Promise.resolve(1);
for (let count = 0; count < 100_000; count++) {
  const inner = promise;
  promise = new Promise((resolve) => resolve(inner));
}
await promise;
