class Stack<T> { private items: T[] = []; push(item: T): this { this.items.push(item); return this; } pop(): T | undefined { return this.items.pop(); } get size(): number { return this.items.length; } }
const stack = new Stack<number>().push(1).push(2);
console.log(stack.pop(), stack.size, stack);
function groupBy<T, K extends string | number>(items: readonly T[], key: (item: T) => K): Map<K, T[]> { const groups = new Map<K, T[]>(); for (const item of items) { const k = key(item); (groups.get(k) ?? groups.set(k, []).get(k)!).push(item); } return groups; }
console.log(groupBy([1, 2, 3, 4], (n) => (n % 2 ? "odd" : "even")));
const identity = <T,>(value: T): T => value; console.log(identity<string>("x"), identity({ a: 1 } as { a: number }));
type Tree<T> = { value: T; left?: Tree<T>; right?: Tree<T> }; const depth = <T>(t?: Tree<T>): number => (t ? 1 + Math.max(depth(t.left), depth(t.right)) : 0); console.log(depth({ value: 1, left: { value: 2, right: { value: 3 } } }));
abstract class Repo<T extends { id: string }> { protected abstract load(): T[]; find(id: string): T | undefined { return this.load().find((x) => x.id === id); } } class Mem extends Repo<{ id: string; n: number }> { protected load() { return [{ id: "a", n: 1 }]; } } console.log(new Mem().find("a"), new Mem().find("b"));
function over(x: string): string; function over(x: number): number; function over(x: any): any { return x; } console.log(over(1), over("s"));
