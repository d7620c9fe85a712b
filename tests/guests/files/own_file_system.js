const fs = await import('fs');

const said = {};

function attempt(what, action) {
  try {
    said[what] = action();
  } catch (error) {
    said[what] = error.code;
  }
}

const read = (path) => fs.readFileSync(path, 'utf8');

function write(path, text) {
  fs.writeFileSync(path, text);
  return text.length;
}

attempt('a member', () => read('/archive/letters/a.txt'));
attempt('what there is', () => fs.readdirSync('/archive/letters').sort());
attempt('no member', () => read('/archive/letters/c.txt'));
attempt('a write', () => write('/archive/letters/a.txt', 'x'));
attempt('a panic', () => read('/archive/panic'));
attempt('after the panic', () => fs.statSync('/archive/letters/b.txt').size);
attempt('a wrapped write', () => write('/output/note.txt', 'mine'));
attempt('a wrapped read', () => read('/output/note.txt'));
attempt('one byte too many', () => write('/output/long.txt', 'x'.repeat(1001)));
result = said;
