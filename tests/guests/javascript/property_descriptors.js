// Properties: attributes, order, freezing.
const object = {};
Object.defineProperty(object, "hidden", { value: 1 });
Object.defineProperty(object, "computed", { get: () => 2, enumerable: true, configurable: true });
object.plain = 3;
console.log(object, Object.keys(object), JSON.stringify(object), object.hidden);
console.log(Object.getOwnPropertyDescriptors(object));
console.log(object.propertyIsEnumerable("hidden"), Object.hasOwn(object, "hidden"), "toString" in object);
(function () {
  "use strict";
  for (const action of [
    () => (object.hidden = 5),
    () => delete object.hidden,
    () => (object.computed = 1),
    () => Object.defineProperty(object, "hidden", { value: 2 }),
  ]) {
    try {
      action();
      console.log("allowed");
    } catch (error) {
      console.log(error.constructor.name);
    }
  }
})();
const frozen = Object.freeze({ list: [1] });
frozen.list.push(2);
console.log(frozen, Object.isFrozen(frozen), Object.isSealed(frozen));
const sealed = Object.seal({ x: 1 });
sealed.x = 2;
console.log(sealed, delete Object.preventExtensions({ y: 1 }).y);
console.log(Object.keys({ b: 1, a: 2, 10: 3, 9: 4, "-1": 5, "01": 6 }));
const child = Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } });
const seen = [];
for (const key in child) seen.push(key);
console.log(seen, Object.keys(child), child.inherited, Object.create(null).toString);
const accessor = {
  _v: 1,
  get v() {
    return this._v;
  },
  set v(value) {
    this._v = value * 2;
  },
};
accessor.v = 5;
console.log(accessor.v, Object.getOwnPropertyDescriptor(accessor, "v").set.length);
console.log(Object.entries(Object.getOwnPropertyDescriptor([1, 2], "length")).join(";"));
const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(accessor));
copy.v = 1;
console.log(copy.v, accessor.v);
console.log(
  Object.is(NaN, NaN),
  Object.is(0, -0),
  Object.fromEntries([
    ["a", 1],
    ["b", 2],
  ]),
);
console.log(
  Object.getOwnPropertyNames(
    class {
      static s() {}
      m() {}
    },
  ).sort(),
);
