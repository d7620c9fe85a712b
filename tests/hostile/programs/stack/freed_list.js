// A linked list of a million objects, freed at once.
// expect: value

let head = null;
for (let count = 0; count < 1_000_000; count++) head = { next: head };
head = null;
"freed";
