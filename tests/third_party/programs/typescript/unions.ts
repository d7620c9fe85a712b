type Shape = { kind: "circle"; r: number } | { kind: "rect"; w: number; h: number } | { kind: "tri"; b: number; h: number };
const area = (s: Shape): number => { switch (s.kind) { case "circle": return +(Math.PI * s.r ** 2).toFixed(3); case "rect": return s.w * s.h; case "tri": return (s.b * s.h) / 2; default: { const never: never = s; return never; } } };
const shapes: Shape[] = [{ kind: "circle", r: 1 }, { kind: "rect", w: 2, h: 3 }, { kind: "tri", b: 2, h: 5 }]; console.log(shapes.map(area));
type Result<T, E = Error> = { ok: true; value: T } | { ok: false; error: E }; function parse(s: string): Result<number, string> { const n = Number(s); return Number.isNaN(n) ? { ok: false, error: `bad: ${s}` } : { ok: true, value: n }; }
for (const s of ["1", "x"]) { const r = parse(s); console.log(r.ok ? r.value : r.error); }
const config = { host: "h", port: 1 } as const satisfies Record<string, string | number>; type Keys = keyof typeof config; const keys = Object.keys(config) as Keys[]; console.log(keys);
function assertIsString(v: unknown): asserts v is string { if (typeof v !== "string") throw new TypeError("no string"); } try { assertIsString(1); } catch (e: unknown) { if (e instanceof TypeError) console.log(e.message); }
declare const notThere: string; declare function alsoNot(): void; type Fn = typeof alsoNot; let u: undefined | Fn; console.log(typeof u); abstract class A { abstract x: number; } class B extends A { override x = 1; declare y: string; z?: string; readonly [k: string]: unknown; } console.log(new B());
