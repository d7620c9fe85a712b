// Native string work without end.
// expect: timeout

const text = 'a'.repeat(3_000_000);
for (;;) text.indexOf('a'.repeat(1_000_000) + 'b');
