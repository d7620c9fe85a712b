function counter() { let n = 0; return { up: () => ++n, down: () => --n, get value() { return n; } }; }
const a = counter(), b = counter();
a.up(); a.up(); b.down();
console.log(a.value, b.value, a);
var fs_ = []; for (var i = 0; i < 3; i++) fs_.push(() => i);
let gs = []; for (let j = 0; j < 3; j++) gs.push(() => j);
console.log(fs_.map((f) => f()), gs.map((g) => g()));
const memo = (fn, cache = new Map()) => (x) => cache.has(x) ? cache.get(x) : (cache.set(x, fn(x)), cache.get(x));
const slow = memo((x) => { console.log("computing", x); return x * x; });
console.log(slow(4), slow(4));
const curry = (f) => function next(...args) { return args.length >= f.length ? f(...args) : (...more) => next(...args, ...more); };
console.log(curry((a, b, c) => a + b + c)(1)(2)(3), curry((a, b) => a * b)(3, 4));
const compose = (...f) => (x) => f.reduceRight((v, g) => g(v), x);
console.log(compose((x) => x + 1, (x) => x * 2)(5), (function () { return arguments.length; })(1, 2, 3));
