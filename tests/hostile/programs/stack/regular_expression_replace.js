// A replacement by a pattern that replaces by a pattern.
// expect: exception RangeError

const replace = () => "a".replace(/a/g, replace);
replace();
