// A name of half a million letters. Ends in a value.
result = "const " + "a".repeat(500_000) + ": number = 1";
