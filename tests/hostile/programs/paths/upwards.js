// Ways up and out.
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
  '/input/../../etc/passwd',
  '/input/../../../../../../etc/passwd',
  '/output/../input/../../etc/passwd',
  '/input/./../../etc/passwd',
  '/input//..//../etc/passwd',
  '../../../../etc/passwd',
  '/input/folder/../../../etc/passwd',
  '/output/none/../../../etc/passwd',
];
const leaked = paths.filter(reads).map((path) => path.slice(0, 50));
result = leaked.length === 0 ? 'contained' : leaked;
