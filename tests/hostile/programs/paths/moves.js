// Files moved out of and over mounts.
// expect: contained

const fs = await import('fs');
const done = [];
for (const [source, target] of [['/input/notes.txt', '/output/notes.txt'], ['/output', '/input/output'],
  ['/output/own', '/input/own'], ['/output/own', '/etc/own'], ['/output', '/output/inside'], ['/tmp', '/output/tmp'], ['/input', '/tmp/input']]) {
  try {
    fs.writeFileSync('/output/own', '');
    fs.renameSync(source, target);
    done.push([source, target]);
  } catch {}
}
for (const path of ['/output', '/input', '/']) {
  try {
    fs.rmdirSync(path);
    done.push(path);
  } catch {}
}
result = done.length === 0 ? 'contained' : done;
