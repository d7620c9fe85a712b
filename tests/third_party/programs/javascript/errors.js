class ValidationError extends Error { constructor(field, message, options) { super(message, options); this.name = "ValidationError"; this.field = field; } }
try { throw new ValidationError("age", "must be positive", { cause: new RangeError("-1") }); }
catch (e) { console.log(e.name, e.message, e.field, e.cause?.message, `${e}`, e instanceof ValidationError, Object.prototype.toString.call(e)); }
const attempts = [() => null.x, () => undefined.foo(), () => missing, () => (1)(), () => { const c = 1; c = 2; }, () => new Array(-1), () => "x".repeat(-1), () => decodeURIComponent("%"), () => [].reduce((a) => a), () => Symbol() + "", () => new (class { #a; static t(o) { return o.#a; } }).constructor.t({}), () => eval("1 +"), () => { "use strict"; undefinedVar = 1; }, () => ({}).x.y, () => Object.defineProperty(Object.freeze({}), "a", { value: 1 }), () => (1).toFixed(101), () => null[Symbol.iterator], () => { const [a] = 1; }, () => { class A { constructor() { this.x; } } A(); }, () => { class B extends Object { constructor() { this.x; } } new B(); }];
for (const attempt of attempts) { try { console.log("no error", attempt()); } catch (e) { console.log(e.name); } }
console.log(new AggregateError([new Error("a")], "many").errors.length, Error("plain") instanceof Error, new Error("m", { cause: 0 }).cause);
Promise.reject(new Error("async")).catch((e) => console.log("caught", e.message)).finally(() => console.log("finally"));
(async () => { try { await (async () => { throw "string"; })(); } catch (e) { console.log(typeof e, e); } })();
