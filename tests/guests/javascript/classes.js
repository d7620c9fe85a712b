// Classes: fields, accessors, statics, inheritance.
class Shape {
  static count = 0;
  static #registry = new Map();
  name = "shape";
  constructor(kind) {
    this.kind = kind;
    Shape.count += 1;
    Shape.#registry.set(kind, this);
  }
  static find(kind) {
    return Shape.#registry.get(kind);
  }
  area() {
    return 0;
  }
  get description() {
    return `${this.name} ${this.kind} of ${this.area().toFixed(2)}`;
  }
  toString() {
    return `<${this.constructor.name} ${this.kind}>`;
  }
  static {
    this.ready = true;
  }
}
class Circle extends Shape {
  #radius;
  constructor(radius) {
    super("circle");
    this.#radius = radius;
  }
  area() {
    return Math.PI * this.#radius ** 2;
  }
  get radius() {
    return this.#radius;
  }
  set radius(value) {
    if (value < 0) throw new RangeError("negative");
    this.#radius = value;
  }
  static unit = new Circle(1);
  has(other) {
    return #radius in other;
  }
}
const circle = new Circle(2);
console.log(circle.description, String(circle), Shape.count, Shape.ready);
circle.radius = 3;
console.log(circle.radius, circle.area().toFixed(3), Circle.unit.radius);
try {
  circle.radius = -1;
} catch (error) {
  console.log(error.name, error.message);
}
console.log(circle.has(circle), circle.has({}), Shape.find("circle") === circle);
console.log(circle instanceof Shape, Object.getPrototypeOf(Circle) === Shape, Circle.count);
console.log(Object.keys(circle), typeof Circle, Circle.name, Circle.length);
const Anonymous = class {};
console.log(Anonymous.name, new (class Named {})().constructor.name);
try {
  Circle();
} catch (error) {
  console.log(error instanceof TypeError);
}
class Late extends class {
  constructor() {
    this.made = new.target.name;
  }
} {}
console.log(new Late().made);
class Chain {
  #steps = [];
  add(step) {
    this.#steps.push(step);
    return this;
  }
  get steps() {
    return [...this.#steps];
  }
}
console.log(new Chain().add(1).add(2).steps);
const mixin = (Base) =>
  class extends Base {
    fly() {
      return `${this.kind} flies`;
    }
  };
console.log(new (mixin(Shape))("bird").fly());
console.log(circle);
