// Names that are no names.
// expect: contained

const fs = await import('fs');

function reads(path) {
  try {
    fs.readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

const paths = [
  '/input/notes.txt\x00.png',
  '/input/\x00',
  '',
  '/',
  '/input',
  '/input/notes.txt/..',
  '/input/' + 'x'.repeat(10_000),
  '/input' + '/x'.repeat(5_000),
];
const leaked = paths.filter(reads).map((path) => path.slice(0, 50));
result = leaked.length === 0 ? 'contained' : leaked;
