// Calls without end.
// expect: contained

let failures = 0;
for (let count = 0; count < 500; count++) {
  try {
    call_tool('echo', { value: 1 });
  } catch (error) {
    failures += String(error.message).includes('times') ? 1 : 0;
  }
}
result = failures === 450 ? 'contained' : failures;
