// An array a million deep, freed at once.
// expect: value

let deep = [];
for (let count = 0; count < 1_000_000; count++) deep = [deep];
deep = undefined;
"freed";
