// More data than may be written, in every way.
// expect: contained

const fs = await import('fs');
const total = () => fs.readdirSync('/output').reduce((sum, name) => sum + fs.statSync(`/output/${name}`).size, 0);
for (let number = 0; number < 20; number++) {
  const path = `/output/${number}`;
  for (const attempt of [() => fs.truncateSync(path, 2 ** 40), () => fs.writeFileSync(path, new Uint8Array(900_000))]) {
    try {
      if (!fs.existsSync(path)) fs.writeFileSync(path, '');
      attempt();
    } catch {}
  }
}
result = total() <= 4 << 20 ? 'contained' : total();
