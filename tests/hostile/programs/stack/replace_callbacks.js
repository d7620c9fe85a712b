// A replacement that replaces.
// expect: exception RangeError

const replace = () => "a".replace("a", replace);
replace();
