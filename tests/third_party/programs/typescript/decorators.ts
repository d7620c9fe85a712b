function logged<This, Args extends any[], Return>(method: (this: This, ...args: Args) => Return, context: ClassMethodDecoratorContext) { return function (this: This, ...args: Args): Return { console.log("call", String(context.name), args); return method.apply(this, args); }; }
function sealed(target: any, context: ClassDecoratorContext) { console.log("class", context.name); }
@sealed class Calc { @logged add(a: number, b: number): number { return a + b; } accessor level = 1; }
const c = new Calc(); console.log(c.add(1, 2), c.level); c.level = 2; console.log(c.level);
