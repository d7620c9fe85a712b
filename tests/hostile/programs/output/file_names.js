// Files whose names are all that there is.
// expect: contained

const fs = await import('fs');
let refused = 0;
for (let number = 0; number < 500; number++) {
  try {
    fs.writeFileSync(`/output/${String(number).padStart(240, '0')}`, '');
  } catch {
    refused++;
  }
}
result = refused >= 300 ? 'contained' : refused;
