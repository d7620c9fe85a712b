// Many small things, each as a program of its own would have them.
const samples: (() => unknown)[] = [];
samples.push(async () => {
  enum A { X = 1, Y = X << 2, Z = Y | X, W = "abc".length, S = `t${1}` } console.log(A)
});
samples.push(async () => {
  enum A { X } enum B { Y = A.X + 5, Z } console.log(B)
});
samples.push(async () => {
  const enum C { A = "a", B = A + "b" } console.log(C.A, C.B)
});
samples.push(async () => {
  function f() { const enum D { Q = 2 } return D.Q } console.log(f())
});
samples.push(async () => {
  enum E { "a-b" = 1, 'c d' } console.log(E["a-b"], E[2])
});
samples.push(async () => {
  enum N { A = -1, B, C = ~5, D = 1.5, F = +"3" } console.log(N)
});
samples.push(async () => {
  abstract class S<T> { constructor(protected readonly v: T) {} abstract get(): T } class R extends S<number> { private extra = this.v * 2; get() { return this.extra } } console.log(new R(4).get())
});
samples.push(async () => {
  class B { x = 1; constructor(public y = 2) { this.x += y } } class D extends B { constructor(public z: number, q = 1) { super(z + q); console.log(this.x, this.y, this.z) } } new D(3)
});
samples.push(async () => {
  class O { constructor(private a?: string, { b } = { b: 2 }, ...rest: number[]) { console.log(a, b, rest, Object.keys(this)) } } new O("x", undefined, 1, 2)
});
samples.push(async () => {
  const x = <any>{ a: 1 }; const y = <T,>(v: T) => v; const z = (<string>y("q")).toUpperCase(); console.log(x.a, z)
});
samples.push(async () => {
  let v: unknown = 5; console.log((v as number).toFixed(1), v!, (v satisfies unknown))
});
samples.push(async () => {
  function isS(x: unknown): x is string { return typeof x === "string" } function as(x: unknown): asserts x { if (!x) throw new Error("no") } console.log(isS("a")); as(1)
});
samples.push(async () => {
  class M { static #p = 1; #q = 2; static get p() { return M.#p } get q() { return this.#q } has(o: object) { return #q in o } } const m = new M(); console.log(M.p, m.q, m.has(m)); enum Force { A }
});
samples.push(async () => {
  type Ctor<T = {}> = new (...a: any[]) => T; function Timed<T extends Ctor>(B: T) { return class extends B { t = 1 } } class U { u = 2 } const TU = Timed(U); const tu = new TU(); console.log(tu.t, tu.u); enum Force { A }
});
samples.push(async () => {
  function dec(v: any, c: any) { console.log(c.kind, String(c.name), c.static, c.private) } class K { @dec f = 1; @dec static g = 2; @dec get h() { return 1 } @dec set h(v) {} @dec #p() {} @dec accessor a = 1; @dec static m() {} } new K()
});
samples.push(async () => {
  function add(n: number) { return (v: any, c: any) => function (this: any, ...a: any[]) { return v.apply(this, a) + n } } class T { @add(1) @add(10) m() { return 100 } } console.log(new T().m())
});
samples.push(async () => {
  function cls(v: any, c: any) { return class extends v { extra = 1 } as any } @cls class W { base = 1 } console.log(Object.keys(new W()), W.name)
});
samples.push(async () => {
  const D = (v: any, c: any) => v; const E2 = @D class { x = 1 }; console.log(new E2().x)
});
samples.push(async () => {
  function order(n: string) { console.log("eval", n); return (v: any, c: any) => { console.log("apply", n) } } @order("c1") @order("c2") class Z { @order("m") m() {} @order("f") f = 1; @order("s") static s() {} }
});
samples.push(async () => {
  function meta(v: any, c: any) { c.addInitializer(function (this: any) { console.log("init", this.constructor.name ?? typeof this) }) } class I { @meta m() {} } new I()
});
samples.push(async () => {
  class G<T> { accessor v: T; constructor(v: T) { this.v = v } } const g = new G(3); g.v = 4; console.log(g.v, Object.keys(g))
});
samples.push(async () => {
  const enum Op { Add = "+", Sub = "-" } const f: Record<Op, (a: number, b: number) => number> = { [Op.Add]: (a, b) => a + b, [Op.Sub]: (a, b) => a - b }; console.log(f[Op.Add](1, 2), Object.keys(f))
});
samples.push(async () => {
  enum Status { Active = "ACTIVE" } interface U { s: Status } const u: U = { s: Status.Active }; console.log(JSON.stringify(u), Object.entries(Status)); const e: keyof typeof Status = "Active"; console.log(Status[e])
});
samples.push(async () => {
  let a = 1, b = 2; [a, b] = [b, a]; console.log(a, b); enum F { A }; label: for (const i of [1,2,3]) { if (i === 2) break label; console.log(i) }
});
samples.push(async () => {
  enum F { A } async function main() { await null; for await (const x of (async function* () { yield 1 })()) console.log(x); return F.A } main().then(console.log)
});
samples.push(async () => {
  enum F { A }
  const s = `line ${F.A}
    two`; console.log(s, /re[/]x/g.test("re/x"), "é€😀", '\u00e9', 0xff, 1_000, 10n ** 3n)
});
samples.push(async () => {
  enum F { A } var hoisted = typeof later; var later = 1; console.log(hoisted, fn()); function fn() { return "fn" }
});
samples.push(async () => {
  class Animal { constructor(protected name: string) {} } class Dog extends Animal { bark(): string { return `${this.name}!` } } console.log(new Dog("rex").bark())
});
samples.push(async () => {
  enum F { A } try { null!.x } catch (e: unknown) { console.log(e instanceof TypeError) } finally { console.log("f") }
});
samples.push(async () => {
  abstract class A1 { static create<T extends A1>(this: new () => T): T { return new this() } } class B1 extends A1 { constructor(readonly k = 1) { super() } } console.log(B1.create().k)
});
samples.push(async () => {
  function f(this: { n: number }, a?: number, ...r: string[]): void { console.log(this.n, a, r) } f.call({ n: 1 }, 2, "x"); enum F { A }
});
samples.push(async () => {
  enum F { A = 1 } const o = { F, [F.A]: "x", get g() { return F[1] }, async *gen() {}, ...{ z: 1 } }; console.log(Object.keys(o), o.g, o[1])
});
(async () => {
  for (const sample of samples) await sample();
})();
