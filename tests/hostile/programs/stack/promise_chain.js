// A promise that a hundred thousand promises wait for.
// expect: value

let promise = Promise.resolve(0);
for (let count = 0; count < 100_000; count++) promise = promise.then((value) => value + 1);
await promise;
