// A replacement by a pattern that replaces by a pattern. Ends in RangeError.
const replace = () => "a".replace(/a/g, replace);
replace();
