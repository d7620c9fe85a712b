// The plainest loop.
// expect: timeout

while (true);
