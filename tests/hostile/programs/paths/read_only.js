// Everything that would change what may only be read.
// expect: contained

const fs = await import('fs');
const done = [];
const attempts = {
  write: () => fs.writeFileSync('/input/new', ''),
  append: () => fs.appendFileSync('/input/notes.txt', 'x'),
  truncate: () => fs.truncateSync('/input/notes.txt', 0),
  remove: () => fs.rmSync('/input/notes.txt'),
  directory: () => fs.mkdirSync('/input/new'),
  time: () => fs.utimesSync('/input/notes.txt', 0, 0),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    done.push(name);
  } catch {}
}
result = done.length === 0 && fs.readFileSync('/input/notes.txt', 'utf8') === 'notes' ? 'contained' : done;
