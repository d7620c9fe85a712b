// A name of half a million letters.
// expect: value

result = "const " + "a".repeat(500_000) + ": number = 1";
