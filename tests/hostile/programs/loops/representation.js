// A loop where the value is made ready to be sent.
// expect: timeout

result = { toJSON() { for (;;); } };
