// A body without end.
// expect: contained or timeout

try {
  const response = http_get(`${OPEN}/endless`);
  result = response.text.length <= 2 ** 20 ? 'contained' : response.text.length;
} catch {
  result = 'contained';
}
