// An error with a chain of hundreds of others.
// expect: exception Error

let error = new Error('x'.repeat(5_000));
for (let depth = 0; depth < 100; depth++) error = new Error('y'.repeat(5_000), { cause: error });
error.stack = 'z'.repeat(1_000_000);
throw error;
