// One line that never ends.
// expect: timeout

for (;;) process.stdout.write('x'.repeat(1000));
