// A loop in what looks like a look-up.
// expect: timeout

const trap = new Proxy({}, { get() { for (;;); } });
trap.anything;
