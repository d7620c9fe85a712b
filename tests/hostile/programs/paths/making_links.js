// Links and special files, made by the program.
// expect: contained

const fs = await import('fs');
const made = [];
const attempts = {
  symlink: () => fs.symlinkSync('/etc/passwd', '/output/symlink'),
  upwards: () => fs.symlinkSync('../../..', '/output/upwards'),
  'hard link': () => fs.linkSync('/input/notes.txt', '/output/hard'),
  pipe: () => fs.mkfifoSync('/output/pipe'),
  device: () => fs.mknodSync('/output/device'),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    made.push(name);
  } catch {}
}
result = made.length === 0 && fs.readdirSync('/output').length === 0 ? 'contained' : made;
