// Asks until it may not any more.
let answers = 0;
try {
  for (;;) {
    http_get(`${BASE_URL}/${answers}`);
    answers += 1;
  }
} catch (error) {
  result = [answers, error.kind, error.message];
}
