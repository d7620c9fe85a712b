// Spread and rest.
const base = { a: 1, b: 2 };
console.log({ ...base, b: 3, c: 4 }, { b: 3, ...base }, { ...null, ...undefined, ...[7, 8] });
console.log([...[1, 2], ...new Set([2, 3]), ..."ok", ...new Map([["k", 1]])]);
const nested = { list: [1, 2], inner: { deep: true } };
const copy = { ...nested, list: [...nested.list, 3] };
copy.inner.deep = false;
console.log(nested, copy);
class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  get sum() {
    return this.x + this.y;
  }
}
console.log({ ...new Point(1, 2) }, Object.assign(new Point(0, 0), { x: 5 }).sum);
const symbol = Symbol("kept");
console.log({ ...{ [symbol]: 1, plain: 2 } }[symbol]);
console.log({
  ...{
    get computed() {
      return Math.max(1, 2);
    },
  },
});
const sum = (...numbers) => numbers.reduce((total, number) => total + number, 0);
console.log(sum(...[1, 2, 3], ...[4], 5), new Date(...[2020, 0, 1]).getFullYear());
console.log([...Array(3).keys()], [...Array(3)], Array.of(...[1, 2]));
const without = ({ secret, ...visible }) => visible;
console.log(without({ secret: 1, name: "n" }));
console.log([..."👍🏽é"].length, "👍🏽é".length);
const conditional = true;
console.log({ ...(conditional && { yes: 1 }), ...(!conditional && { no: 1 }) }, [...(conditional ? ["in"] : [])]);
console.log(Math.min(...[]), [].concat(...[[1], [2, [3]]]));
