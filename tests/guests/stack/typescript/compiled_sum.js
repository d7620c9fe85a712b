// A sum of a hundred thousand numbers beside an `enum`. Ends in a value or SyntaxError or RangeError or InternalError or StackOverflow or GuestCrashed.
result = "enum A { B }\nlet a = 0" + " + 1".repeat(100_000) + "; a";
