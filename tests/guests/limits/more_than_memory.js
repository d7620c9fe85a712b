const fs = await import('fs');

const piece = 'x'.repeat(100_000);

for (let round = 0; round < 1200; round++) console.log(piece);

for (let round = 0; round < 1200; round++) fs.writeFileSync('/output/piece', piece);

result = fs.readFileSync('/output/piece', 'utf8').length;
