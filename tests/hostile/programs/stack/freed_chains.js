// Chains of objects, arrays and closures, two hundred thousand links long, freed at once.
// expect: value

const links = [
  (inner) => ({ inner }),
  (inner) => [inner],
  (inner) => () => inner,
  (inner) => new Map([[1, inner]]),
];
for (const link of links) {
  let chain = null;
  for (let n = 0; n < 200000; n++) chain = link(chain);
  chain = null;
}
