// Errors of errors of errors. Ends in AggregateError or RangeError.
let error = new Error("innermost");
for (let count = 0; count < 100_000; count++) error = new AggregateError([error], "one more");
throw error;
