class Shape {
  #id = Shape.#next++;
  static #next = 1;
  static count() { return Shape.#next - 1; }
  get id() { return this.#id; }
  area() { throw new Error(`${this.constructor.name} has no area`); }
  toString() { return `${this.constructor.name}#${this.id} ${this.area().toFixed(2)}`; }
}
class Circle extends Shape {
  constructor(radius) { super(); this.radius = radius; }
  area() { return Math.PI * this.radius ** 2; }
}
class Rectangle extends Shape {
  constructor(width, height) { super(); Object.assign(this, { width, height }); }
  area() { return this.width * this.height; }
  static square(side) { return new this(side, side); }
}
const shapes = [new Circle(1.5), Rectangle.square(3), new Rectangle(2, 7)];
for (const shape of shapes) console.log(String(shape));
console.log(shapes);
try { new Shape().area(); } catch (error) { console.log(error.name, error.message, error instanceof Error); }
console.log(Shape.count());
