const words = ["pear", "Apple", "fig", "banana", "apple"];
console.log([...words].sort(), [10, 9, 1, 100].sort(), [10, 9, 1, 100].sort((a, b) => a - b));
console.log([3, undefined, 1, , 2].sort(), words.toSorted?.((a, b) => a.length - b.length));
const items = Array.from({ length: 20 }, (_, i) => ({ k: i % 3, i }));
console.log(items.sort((a, b) => a.k - b.k).map((x) => x.i).join(","));
function quicksort(a) { if (a.length < 2) return a; const [p, ...r] = a; return [...quicksort(r.filter((x) => x < p)), p, ...quicksort(r.filter((x) => x >= p))]; }
console.log(quicksort([5, 3, 8, 1, 9, 2]));
const byKeys = (...keys) => (a, b) => { for (const k of keys) { if (a[k] < b[k]) return -1; if (a[k] > b[k]) return 1; } return 0; };
console.log([{ a: 2, b: 1 }, { a: 1, b: 2 }, { a: 1, b: 1 }].sort(byKeys("a", "b")));
console.log([1, 2, 3].reverse(), ["b", "a"].sort().concat(["c"]), [5, 1].toSpliced?.(0, 1), [1, 2].with?.(0, 9));
