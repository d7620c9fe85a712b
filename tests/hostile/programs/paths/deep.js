// Directories in directories in directories.
// expect: contained

const fs = await import('fs');
let path = '/output';
let depth = 0;
try {
  for (; depth < 1_000; depth++) {
    path += '/d';
    fs.mkdirSync(path);
  }
} catch {}
result = depth <= 8 ? 'contained' : depth;
