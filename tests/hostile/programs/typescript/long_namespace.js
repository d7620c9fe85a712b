// A declared namespace whose name has a hundred thousand parts.
// expect: exception SyntaxError or crash or stack

result = "declare namespace A" + ".A".repeat(100_000) + " {}";
