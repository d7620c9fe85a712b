// Errors of errors of errors.
// expect: exception AggregateError or exception RangeError

let error = new Error("innermost");
for (let count = 0; count < 100_000; count++) error = new AggregateError([error], "one more");
throw error;
