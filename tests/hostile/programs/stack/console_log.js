// An object a hundred thousand deep, printed.
// expect: value

let deep = {};
for (let count = 0; count < 100_000; count++) deep = { deep };
console.log(deep);
"printed";
