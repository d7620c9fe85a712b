// A hundred thousand powers of powers.
// expect: exception SyntaxError

result = "1 ** ".repeat(100_000) + "1";
