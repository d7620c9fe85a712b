// Requests without end.
// expect: contained

let failures = 0;
for (let count = 0; count < 100; count++) {
  try {
    http_get(`${OPEN}/ok`);
  } catch (error) {
    failures += String(error.message).includes('requests') ? 1 : 0;
  }
}
result = failures === 50 ? 'contained' : failures;
