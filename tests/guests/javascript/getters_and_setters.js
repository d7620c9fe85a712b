// Accessors in objects, classes and prototypes.
const temperature = {
  celsius: 20,
  get fahrenheit() {
    return this.celsius * 1.8 + 32;
  },
  set fahrenheit(value) {
    this.celsius = (value - 32) / 1.8;
  },
  get [`key${1 + 1}`]() {
    return "computed";
  },
};
temperature.fahrenheit = 212;
console.log(temperature.celsius, temperature.fahrenheit, temperature.key2, Object.keys(temperature));
class Rectangle {
  #width = 1;
  #height = 1;
  static #made = 0;
  static get made() {
    return Rectangle.#made;
  }
  constructor(width, height) {
    this.width = width;
    this.height = height;
    Rectangle.#made++;
  }
  get width() {
    return this.#width;
  }
  set width(value) {
    this.#width = Math.max(0, value);
  }
  get height() {
    return this.#height;
  }
  set height(value) {
    this.#height = Math.max(0, value);
  }
  get area() {
    return this.#width * this.#height;
  }
}
class Square extends Rectangle {
  constructor(side) {
    super(side, side);
  }
  get area() {
    return `${super.area} (square)`;
  }
  set width(value) {
    super.width = value;
    super.height = value;
  }
  get width() {
    return super.width;
  }
}
const square = new Square(3);
square.width = -1;
console.log(square.area, square.height, new Rectangle(2, 5).area, Rectangle.made, Object.keys(square));
const lazy = {
  get value() {
    Object.defineProperty(this, "value", { value: Math.sqrt(16), enumerable: true });
    console.log("computed once");
    return this.value;
  },
};
console.log(lazy.value + lazy.value);
const inherited = Object.create(temperature);
inherited.fahrenheit = 32;
console.log(inherited.celsius, temperature.celsius, Object.hasOwn(inherited, "fahrenheit"));
console.log(
  Object.getOwnPropertyDescriptor(Rectangle.prototype, "area").set,
  typeof Object.getOwnPropertyDescriptor(Rectangle.prototype, "width").set,
);
const readOnly = {
  get fixed() {
    return 1;
  },
};
readOnly.fixed = 2;
console.log(readOnly.fixed, Reflect.set(readOnly, "fixed", 3));
Object.defineProperty(Array.prototype, "second", {
  get() {
    return this[1];
  },
  configurable: true,
});
console.log([1, 2, 3].second, delete Array.prototype.second);
