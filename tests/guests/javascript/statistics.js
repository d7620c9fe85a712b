// Means, deviations, histograms.
const data = [2, 4, 4, 4, 5, 5, 7, 9];
const sum = (list) => list.reduce((a, b) => a + b, 0);
const mean = (list) => sum(list) / list.length;
const median = (list) => {
  const sorted = list.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};
const variance = (list, sample = false) => sum(list.map((x) => (x - mean(list)) ** 2)) / (list.length - sample);
const mode = (list) => {
  const counts = new Map();
  for (const x of list) counts.set(x, (counts.get(x) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].filter(([, count]) => count === most).map(([x]) => x);
};
console.log(
  mean(data),
  median(data),
  mode(data),
  variance(data),
  Math.sqrt(variance(data)),
  variance(data, true).toFixed(4),
);
const quantile = (list, q) => {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
};
console.log([0, 0.25, 0.5, 0.75, 1].map((q) => quantile(data, q)));
const x = [1, 2, 3, 4, 5];
const y = [2.1, 3.9, 6.2, 7.8, 10.1];
const slope =
  sum(x.map((value, i) => (value - mean(x)) * (y[i] - mean(y)))) / sum(x.map((value) => (value - mean(x)) ** 2));
const correlation =
  sum(x.map((value, i) => (value - mean(x)) * (y[i] - mean(y)))) /
  Math.sqrt(sum(x.map((v) => (v - mean(x)) ** 2)) * sum(y.map((v) => (v - mean(y)) ** 2)));
console.log(slope.toFixed(3), (mean(y) - slope * mean(x)).toFixed(3), correlation.toFixed(5));
const histogram = data.reduce((bins, value) => {
  bins[Math.floor(value / 3)] = (bins[Math.floor(value / 3)] ?? 0) + 1;
  return bins;
}, []);
histogram.forEach((count, bin) => console.log(`${bin * 3}-${bin * 3 + 2} ${"*".repeat(count ?? 0)}`));
const moving = (list, width) => list.slice(width - 1).map((_, i) => mean(list.slice(i, i + width)));
console.log(
  moving([1, 2, 3, 4, 5, 6], 3),
  data.map((value) => ((value - mean(data)) / Math.sqrt(variance(data))).toFixed(2)).join(" "),
);
const cumulative = data.map(
  (
    (total) => (value) =>
      (total += value)
  )(0),
);
console.log(
  cumulative,
  Math.exp(mean(data.map(Math.log))).toFixed(4),
  (data.length / sum(data.map((v) => 1 / v))).toFixed(4),
);
let seed = 7;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const inside = Array.from({ length: 20000 }, () => random() ** 2 + random() ** 2 < 1).filter(Boolean).length;
console.log(((4 * inside) / 20000).toFixed(3), Array.from({ length: 5 }, () => random().toFixed(6)).join(" "));
console.log(
  [1, 2, 3, 4].map((value) => value / 10).reduce((a, b) => a + b),
  (0.1 + 0.2).toFixed(2),
  Math.round(1.005 * 100) / 100,
  +(1.255).toFixed(2),
  [0.5, 1.5, 2.5].map(Math.round),
);
