// An error with a hundred thousand causes.
// expect: exception Error or exception RangeError

let error = new Error("first");
for (let count = 0; count < 100_000; count++) error = new Error("next", { cause: error });
throw error;
