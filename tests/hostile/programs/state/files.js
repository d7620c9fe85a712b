// Files left for the next program.
// expect: contained

const fs = await import('fs');
fs.writeFileSync('/tmp/leak', 'leak');
fs.writeFileSync('/output/leak', 'leak');
result = 'contained';
