// Files as long as they may be, of nothing but zeros: they count as long as they are, independent of their size on the disk.
// expect: contained

const fs = await import('fs');

function stretch(number) {
  try {
    fs.writeFileSync(`/output/${number}`, new Uint8Array(1 << 20));
    return 1;
  } catch {
    return 0;
  }
}

let made = 0;
for (let number = 0; number < 100; number++) made += stretch(number);
const whole = fs.readdirSync('/output').reduce((sum, name) => sum + fs.statSync(`/output/${name}`).size, 0);

// What is given back is there again, and no more than that.
fs.rmSync('/output/0');
let again = 0;
for (let number = 100; number < 110; number++) again += stretch(number);
result = made === 4 && whole === 4 << 20 && again === 1 ? 'contained' : [made, whole, again];
