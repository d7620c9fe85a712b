// A body that unpacks to a thousand times itself.
// expect: contained

try {
  const response = http_get(`${OPEN}/bomb`);
  result = response.text.length <= 2 ** 20 ? 'contained' : response.text.length;
} catch {
  result = 'contained';
}
