// Names that look like others, or like `..`, after Unicode or case folding.
// expect: contained

const fs = await import('fs');

const UPWARDS = [
  '\u2024\u2024', '\u2025', '\uff0e\uff0e', '..\u200b', '\u202e..', '..\u0301', '.\u0338.', '%2e%2e', '..%00', '..\\', '\u2216..',
  '\uff0f..', '..\u2044', '\u00b7\u00b7', '\udcff',
];

function text(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const mistakes = UPWARDS.filter((name) => text(`/input/${name}/secret.txt`).includes('secret'));

// Two names are two files, or the second is refused; never one file under the other's name.
const pairs = [['A', 'a'], ['\u00e9', 'e\u0301'], ['\ufb01', 'fi'], ['\u00df', 'ss'], ['\u0130', 'i'], ['K', '\u212a'], ['x', 'x\u200d']];
pairs.forEach((pair, number) => {
  const folder = `/output/${number}`;
  fs.mkdirSync(folder);
  for (const name of pair) {
    try {
      fs.writeFileSync(`${folder}/${name}`, name, { flag: 'wx' });
    } catch {
      // Refused.
    }
  }
  for (const name of fs.readdirSync(folder)) {
    if (text(`${folder}/${name}`) !== name) mistakes.push(name);
  }
});
result = mistakes.length === 0 ? 'contained' : mistakes;
