const text = "The quick brown fox jumps over the lazy dog. The dog barks; the fox runs away!";
const counts = text.toLowerCase().match(/\b[a-z]+\b/g).reduce((acc, word) => {
  acc[word] = (acc[word] || 0) + 1;
  return acc;
}, {});
const sorted = Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
for (const [word, count] of sorted.slice(0, 5)) console.log(word.padEnd(8, "."), String(count).padStart(3));
console.log(counts);
