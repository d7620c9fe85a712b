// A chain of half a million closures, freed at once.
// expect: value

const wrap = (inner) => () => inner;
let chain = null;
for (let count = 0; count < 500_000; count++) chain = wrap(chain);
chain = null;
"freed";
