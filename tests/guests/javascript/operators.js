// Operators, old and new.
const user = {
  name: "Ada",
  address: { street: null },
  greet() {
    return `I am ${this.name}`;
  },
};
console.log(
  user?.address?.street?.length,
  user.missing?.deep.deeper.call(),
  user.greet?.(),
  user.nothing?.(),
  user?.["na" + "me"],
  null?.x,
  undefined?.[0],
  delete user?.address?.street,
);
console.log(
  null ?? "default",
  0 ?? "default",
  0 || "default",
  "" && "never",
  false ?? 1,
  (null || undefined) ?? "both",
);
let a = null;
a ??= 1;
let b = 1;
b ||= 2;
let c = 1;
c &&= 3;
console.log(a, b, c);
const lazy = {
  get loud() {
    console.log("evaluated");
    return 1;
  },
};
true || lazy.loud;
false && lazy.loud;
1 ?? lazy.loud;
console.log(
  2 ** (3 ** 2),
  (-2) ** 2,
  7 & ~2,
  1 < 2 < 3,
  3 > 2 > 1,
  "b" > "a",
  null >= 0,
  null > 0,
  undefined == null,
  undefined === null,
  NaN != NaN,
);
console.log(
  "1" == 1,
  true == "1",
  [] == false,
  null == 0,
  [1] == 1,
  {} == "[object Object]",
  "0" == false,
  "" == 0,
  [[]] == 0,
);
console.log(
  typeof null,
  typeof undefined,
  typeof [],
  typeof (() => {}),
  typeof 1n,
  typeof Symbol(),
  typeof NaN,
  typeof class {},
);
console.log(
  !!"false",
  !!0,
  !!NaN,
  !![],
  !!{},
  !"",
  +"",
  +" ",
  +"1e3",
  -"5",
  +[],
  +{},
  +null,
  +true,
  +new Date(5),
  ~~"7.9",
  "3" * "4",
  10 / "4",
  "5" % 3,
);
console.log(
  1 + "2",
  "3" - 1,
  1 + null,
  1 + undefined,
  "a" + null,
  [] + {},
  [1, 2] + [3],
  true + 1,
  1 + +"1",
  "5" + -"2",
);
let i = 1;
const order = [i++, i, ++i, i--, i];
console.log(order, i);
console.log(
  "x" in { x: 1 },
  1 in [5, 6],
  "length" in [],
  [] instanceof Object,
  Object.create(null) instanceof Object,
  delete [].length,
);
const trace = [];
const t = (name) => (trace.push(name), { valueOf: () => (trace.push(`${name}.valueOf`), 1) });
t("left") + t("right") * t("third");
console.log(trace.join(" "));
console.log(
  (() => {
    let x = 1;
    return (x += x++ + ++x);
  })(),
  ((x) => (x > 5 ? "big" : x > 2 ? "middle" : "small"))(4),
  (true, false),
  [..."ab"].length ? "yes" : "no",
);
console.log(
  (5 / 2) | 0,
  (2 ** 31) | 0,
  (1 / 3) * 3 === 1,
  0.1 + 0.2 === 0.3,
  Math.abs(0.3 - (0.1 + 0.2)) < Number.EPSILON,
  10 % 3.5,
  2 ** 0.5,
);
