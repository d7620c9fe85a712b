// A declared namespace whose name has a hundred thousand parts. Ends in SyntaxError or GuestCrashed or StackOverflow.
result = "declare namespace A" + ".A".repeat(100_000) + " {}";
