// The same to standard error.
// expect: timeout

for (;;) console.error('x'.repeat(1000));
