// A statement with a hundred thousand labels.
// expect: exception SyntaxError

result = Array.from({ length: 100_000 }, (_, index) => `a${index}: `).join("") + "1";
