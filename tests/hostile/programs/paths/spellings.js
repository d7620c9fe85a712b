// Spellings that some system takes for a way up.
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
  '/input/%2e%2e/%2e%2e/etc/passwd',
  '/input/..\\..\\etc\\passwd',
  '/input/..%2f..%2fetc/passwd',
  '/input/\uff0e\uff0e/\uff0e\uff0e/etc/passwd',
  '/input/.. /.. /etc/passwd',
  '/input/...//...//etc/passwd',
  '/INPUT/notes.txt',
  '/input/NOTES.TXT',
  '/\u0131nput/notes.txt',
  'file:///etc/passwd',
  '~/.ssh/id_rsa',
];
const leaked = paths.filter(reads).map((path) => path.slice(0, 50));
result = leaked.length === 0 ? 'contained' : leaked;
