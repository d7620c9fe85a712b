// A value whose type is asserted seven thousand times, beside an `enum`. Ends in a value.
result = "enum A { B }\nlet a = 1" + " as any".repeat(7_000) + "; 1";
