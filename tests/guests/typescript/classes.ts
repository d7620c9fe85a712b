// What classes of TypeScript have beyond those of JavaScript.
abstract class Shape {
  protected constructor(
    public readonly name: string,
    private sides: number = 0,
    protected extra?: { note: string },
  ) {}
  abstract area(): number;
  describe(): string {
    return `${this.name} with ${this.sides} sides${this.extra ? ` (${this.extra.note})` : ""}`;
  }
}
interface Scalable {
  scale(factor: number): this;
}
class Box extends Shape implements Scalable {
  declare ignored: string;
  static readonly made: Box[] = [];
  private cache?: number;
  unit!: string;
  constructor(
    public width: number,
    height: number,
  ) {
    super("box", 4, { note: "fits" });
    this.height = height;
    Box.made.push(this);
  }
  height: number = 0;
  area(): number {
    return (this.cache ??= this.width * this.height);
  }
  scale(factor: number): this {
    this.width *= factor;
    return this;
  }
  override describe(): string {
    return super.describe().toUpperCase();
  }
  get [Symbol.toStringTag]() {
    return "Box";
  }
}
const box = new Box(2, 3);
console.log(box.describe(), box.area(), box.scale(2).width, Box.made.length, Object.keys(box), "ignored" in box);
class Counter {
  accessor count = 1;
  static accessor total = 10;
  accessor #hidden = 5;
  get hidden() {
    return this.#hidden;
  }
}
const counter = new Counter();
counter.count += 1;
Counter.total *= 2;
console.log(counter.count, Counter.total, counter.hidden, Object.keys(counter));
console.log(Object.getOwnPropertyNames(Counter.prototype));
const length = (<string>(<unknown>"four")).length;
const asserted = box as unknown as { width: number };
const satisfied = { a: 1 } satisfies Record<string, number>;
console.log(length, asserted!.width, satisfied.a);
function overloaded(value: string): string;
function overloaded(value: number): number;
function overloaded(value: any): any {
  return value;
}
function typed<T extends { id: number }>(this: void, items: T[], key?: keyof T): T[] {
  return items.toSorted((a, b) => a.id - b.id);
}
console.log(overloaded("x"), typed([{ id: 2 }, { id: 1 }]));
