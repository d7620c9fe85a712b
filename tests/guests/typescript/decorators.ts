// Decorators of the standard.
function logged<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
  context: ClassMethodDecoratorContext<This, (this: This, ...args: Args) => Result>,
) {
  return function (this: This, ...args: Args): Result {
    console.log(`${String(context.name)}(${args.join(", ")})`, context.kind, context.static, context.private);
    return method.call(this, ...args);
  };
}
function registered(value: Function, context: ClassDecoratorContext) {
  console.log("class", context.name, context.kind);
  context.addInitializer(() => console.log("initialised", context.name));
}
function doubled(_: undefined, context: ClassFieldDecoratorContext) {
  return (initial: number) => initial * 2;
}
function bound(_: unknown, context: ClassMethodDecoratorContext) {
  context.addInitializer(function (this: any) {
    this[context.name] = this[context.name].bind(this);
  });
}
const times = (factor: number) => (target: ClassAccessorDecoratorTarget<unknown, number>) => ({
  get(this: unknown) {
    return target.get.call(this) * factor;
  },
});

@registered
class Calculator {
  @doubled value = 21;
  @times(3) accessor scaled = 2;
  @logged
  add(a: number, b: number): number {
    return a + b + this.value;
  }
  @bound
  self() {
    return this instanceof Calculator;
  }
  @logged
  static create() {
    return new Calculator();
  }
}
const calculator = Calculator.create();
const { self } = calculator;
console.log(calculator.add(1, 2), calculator.scaled, self(), Calculator.name);
