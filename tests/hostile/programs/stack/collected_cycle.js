// A cycle through half a million objects, found by the collector.
// expect: value

{
  const first = {};
  let last = first;
  for (let count = 0; count < 500_000; count++) last = { last };
  first.last = last;
}
for (let count = 0; count < 500_000; count++) ({ self: {} }).self.self = 1;
"collected";
