const data = [1, 4, 9, 16, 25, 36];
const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
const squares = data.reduce((sum, value) => sum + (value - mean) ** 2, 0);
const rounded = (value) => Number(value.toFixed(4));

result = {
  mean: rounded(mean),
  sample: rounded(Math.sqrt(squares / (data.length - 1))),
  population: rounded(Math.sqrt(squares / data.length)),
};
