// Prototypes by hand.
function Animal(name) {
  if (!new.target) return new Animal(name);
  this.name = name;
}
Animal.prototype.speak = function () {
  return `${this.name} makes a sound`;
};
Animal.count = 0;
function Dog(name) {
  Animal.call(this, name);
}
Dog.prototype = Object.create(Animal.prototype, { constructor: { value: Dog, writable: true, configurable: true } });
Dog.prototype.speak = function () {
  return `${Animal.prototype.speak.call(this)}: woof`;
};
const dog = new Dog("Rex");
console.log(
  dog.speak(),
  dog instanceof Animal,
  Object.getPrototypeOf(dog) === Dog.prototype,
  dog.constructor.name,
  Animal("Cat").speak(),
);
console.log(Animal.prototype.isPrototypeOf(dog), Object.keys(dog), "speak" in dog, dog.hasOwnProperty("speak"));
const base = {
  greet() {
    return `hello from ${this.name}`;
  },
};
const derived = {
  __proto__: base,
  name: "derived",
  greet() {
    return `${super.greet()}!`;
  },
};
console.log(
  derived.greet(),
  Object.getPrototypeOf(derived) === base,
  Object.setPrototypeOf({}, null) instanceof Object,
);
String.prototype.shout = function () {
  return this.toUpperCase() + "!";
};
console.log("hey".shout(), delete String.prototype.shout);
const chain = [];
for (let at = dog; at; at = Object.getPrototypeOf(at)) chain.push(at.constructor.name);
console.log(chain.join(" > "));
const mixins = {
  fly: {
    fly() {
      return `${this.name} flies`;
    },
  },
  swim: {
    swim() {
      return `${this.name} swims`;
    },
  },
};
class Duck {
  name = "duck";
}
Object.assign(Duck.prototype, mixins.fly, mixins.swim);
console.log(new Duck().fly(), new Duck().swim(), Object.keys(Duck.prototype));
try {
  Object.setPrototypeOf(base, derived);
} catch (error) {
  console.log(error.constructor.name);
}
console.log(
  typeof Object.prototype.__lookupGetter__,
  {}.toString(),
  Object.prototype.toString.call(null),
  Object.prototype.toString.call([]),
  Object.prototype.toString.call(new Date()),
  Object.prototype.toString.call(/x/),
);
console.log((() => {}).prototype, function () {}.prototype, Object.getOwnPropertyNames((a, b) => {}).sort());
class Meta {
  static create() {
    return new this();
  }
}
class Sub extends Meta {}
console.log(
  Sub.create() instanceof Sub,
  Function.prototype.isPrototypeOf(Sub),
  Object.getPrototypeOf(Object.getPrototypeOf(async function () {})) === Function.prototype,
);
console.log(
  new (function () {
    return { replaced: true };
  })(),
  new (function () {
    this.kept = true;
    return 5;
  })(),
);
