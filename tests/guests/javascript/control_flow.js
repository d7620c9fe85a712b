// Statements: loops, labels, switch.
const log = [];
for (let i = 0, j = 10; i < j; i += 3, j--) log.push(`${i}/${j}`);
console.log(log.join(" "));
let n = 3;
do n--;
while (n > 0);
console.log(n);
outer: for (let i = 0; i < 3; i++) {
  for (let j = 0; j < 3; j++) {
    if (j === i) continue outer;
    if (i + j > 3) break outer;
    console.log(i, j);
  }
}
block: {
  console.log("in block");
  if (n === 0) break block;
  console.log("never");
}
function kind(value) {
  switch (typeof value) {
    case "number":
      if (value > 100) return "large";
    case "bigint":
      return "numeric";
    case "string": {
      const length = value.length;
      return length > 3 ? "long" : "short";
    }
    default:
      return "other";
  }
}
console.log([1, 1000, 5n, "abcd", "a", null, {}].map(kind));
switch (3) {
  default:
    console.log("default first");
  case 1:
    console.log("falls into one");
    break;
  case 2:
    console.log("never");
}
switch (true) {
  case 1 > 2:
    console.log("no");
    break;
  case 2 > 1:
    console.log("yes");
}
for (const x of [1, 2, 3]) {
  if (x === 2) continue;
  console.log(x);
}
for (const key in Object.assign(Object.create({ inherited: 1 }), { own: 2 })) console.log(key);
let count = 0;
while (true) {
  if (++count > 4) break;
  if (count % 2) continue;
  console.log("even", count);
}
for (;;) {
  break;
}
if (0) console.log("no");
else if ("") console.log("no");
else console.log("else");
var i = "outer";
for (var i = 0; i < 2; i++);
console.log(i, (1, 2, 3), void 0, typeof nothing);
const fizz = Array.from({ length: 15 }, (_, k) =>
  (k + 1) % 15 ? ((k + 1) % 5 ? ((k + 1) % 3 ? k + 1 : "Fizz") : "Buzz") : "FizzBuzz",
);
console.log(fizz.join(" "));
{
  function inBlock() {
    return "block function";
  }
}
console.log(inBlock());
