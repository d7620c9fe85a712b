// Follows links in a mount that lead out of it.
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
  '/input/link_to_etc/passwd',
  '/input/absolute',
  '/input/relative',
  '/input/chain',
  '/input/loop',
  '/input/folder/up/secret.txt',
  '/input/dangling',
];
const leaked = paths.filter(reads).map((path) => path.slice(0, 50));
result = leaked.length === 0 ? 'contained' : leaked;
