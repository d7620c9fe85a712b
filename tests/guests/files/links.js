const fs = await import('fs');

const answers = [];

function attempt(action) {
  try {
    action();
    answers.push('ok');
  } catch (error) {
    answers.push(error.code);
  }
}

const write = (path, size) => fs.writeFileSync(path, 'x'.repeat(size));

// The same 900 bytes by every name that there is, one name taken away after another.
write('/output/file', 900);
for (const link of ['soft1', 'soft2', 'hard1', 'hard2', 'folder/up']) {
  fs.rmSync(`/output/${link}`);
  attempt(() => write('/output/more', 900));
}
// A name that another file takes is no more than a name either.
write('/output/small', 1);
fs.renameSync('/output/small', '/output/soft3');
write('/output/small', 1);
fs.renameSync('/output/small', '/output/hard3');
attempt(() => write('/output/more', 900));
// With its last name the file itself goes, and what it took is there again.
fs.rmSync('/output/file');
attempt(() => write('/output/more', 900));
result = answers;
