// A replacement that replaces. Ends in RangeError.
const replace = () => "a".replace("a", replace);
replace();
