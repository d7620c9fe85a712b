const fs = await import('fs');

const answers = {};

function attempt(what, action) {
  try {
    action();
    answers[what] = 'ok';
  } catch (error) {
    answers[what] = error.code;
  }
}

const write = (path, size) => fs.writeFileSync(path, 'x'.repeat(size));

function stretch(path, size) {
  fs.writeFileSync(path, '');
  fs.truncateSync(path, size);
}

attempt('a file that fits', () => write('/output/a', 1000));
write('/output/b', 900);
attempt('a long file', () => write('/output/c', 1001));
attempt('a stretched file', () => stretch('/output/c', 2 ** 40));
attempt('the third file that fits', () => write('/output/c', 1000));
fs.truncateSync('/output/b', 0);
attempt('the third file, after one was cut', () => write('/output/c', 1000));

attempt('a deep directory', () => fs.mkdirSync('/output/1/2/3/4/5', { recursive: true }));
attempt('a long name', () => write(`/output/${'n'.repeat(21)}`, 1));
fs.mkdirSync('/output/x/y', { recursive: true });
attempt('a directory moved deeper', () => fs.renameSync('/output/x', '/output/1/2/3/x'));

// Nine are there: three files, four directories, two more.
attempt('as many as there may be', () => [0, 1, 2].forEach((n) => write(`/output/f${n}`, 0)));
attempt('one too many', () => write('/output/g', 0));
fs.rmSync('/output/f0');
attempt('another after one was removed', () => write('/output/g', 0));
result = answers;
