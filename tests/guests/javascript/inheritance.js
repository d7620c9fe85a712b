// super in all places, abstract classes, extending built-ins.
class Shape {
  constructor() {
    if (new.target === Shape) throw new TypeError("Shape is abstract");
  }
  area() {
    throw new Error(`${this.constructor.name} must implement area`);
  }
  describe() {
    return `${this.constructor.name}: ${this.area()}`;
  }
  static from(json) {
    return Object.assign(new this(), JSON.parse(json));
  }
}
class Box extends Shape {
  side = 2;
  area() {
    return this.side ** 2;
  }
  describe() {
    return `[${super.describe()}]`;
  }
}
class Blob_ extends Shape {}
for (const make of [
  () => new Box().describe(),
  () => new Shape(),
  () => new Blob_().describe(),
  () => Box.from('{"side":5}').describe(),
]) {
  try {
    console.log(make());
  } catch (error) {
    console.log(error.name, error.message);
  }
}
class HttpError extends Error {
  constructor(status, ...rest) {
    super(...rest);
    this.name = this.constructor.name;
    this.status = status;
  }
  get isClientFault() {
    return this.status >= 400 && this.status < 500;
  }
}
class NotFound extends HttpError {
  constructor(what) {
    super(404, `${what} not found`);
  }
}
const error = new NotFound("page");
console.log(
  error.name,
  error.message,
  error.status,
  error.isClientFault,
  error instanceof HttpError,
  error instanceof Error,
  String(error),
);
class DefaultMap extends Map {
  #make;
  constructor(make, entries) {
    super(entries);
    this.#make = make;
  }
  get(key) {
    if (!this.has(key)) this.set(key, this.#make());
    return super.get(key);
  }
}
const groups = new DefaultMap(() => []);
for (const word of ["ant", "bee", "ape"]) groups.get(word[0]).push(word);
console.log([...groups], groups.size, groups instanceof Map);
class Vector extends Array {
  plus(other) {
    return this.map((value, i) => value + other[i]);
  }
  get norm() {
    return Math.hypot(...this);
  }
}
console.log(Vector.from([3, 4]).norm, Vector.of(1, 2).plus([10, 20]), Vector.of(1, 2).plus([1, 1]) instanceof Vector);
class Temperature extends Number {
  toFahrenheit() {
    return this * 1.8 + 32;
  }
}
class Name extends String {
  get initials() {
    return this.split(" ")
      .map(([c]) => c)
      .join("");
  }
}
console.log(new Temperature(100).toFahrenheit(), new Name("Ada Lovelace").initials, new Temperature(1) + 1);
class Typed extends Uint8Array {
  sum() {
    return this.reduce((a, b) => a + b);
  }
}
console.log(new Typed([1, 2, 3]).sum(), new Typed(2).map(() => 5) instanceof Typed);
class Later extends Promise {
  static get [Symbol.species]() {
    return Promise;
  }
}
console.log(Later.resolve(1).then(() => {}) instanceof Later);
const proto = {
  hello() {
    return "hello";
  },
};
const object = {
  __proto__: proto,
  hello() {
    return super.hello() + " world";
  },
  get shout() {
    return super.hello().toUpperCase();
  },
};
console.log(object.hello(), object.shout);
class A {
  static who() {
    return "A";
  }
  static say() {
    return this.who();
  }
}
class B extends A {
  static who() {
    return `B after ${super.who()}`;
  }
}
console.log(A.say(), B.say());
class Base {
  constructor() {
    this.init();
  }
  init() {
    this.kind = "base";
  }
}
class Child extends Base {
  field = "set after super";
  init() {
    this.kind = `child, field is ${this.field}`;
  }
}
console.log(new Child().kind, new Child().field);
try {
  new (class extends Base {
    constructor() {
      this.x = 1;
      super();
    }
  })();
} catch (error) {
  console.log(error.name);
}
console.log(class extends null {}.name, Object.getPrototypeOf(class extends null {}.prototype));
