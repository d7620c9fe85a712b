// Files of a temporary /output before and after a pause.
const fs = require('fs');
fs.mkdirSync('/output/reports/empty', { recursive: true });
fs.writeFileSync('/output/reports/first.bin', Uint8Array.from({ length: 256 }, (_, byte) => byte));
call_tool('ask', { number: 1 });
fs.appendFileSync('/output/reports/first.bin', 'end');
fs.writeFileSync('/output/second.txt', 'second');
[fs.existsSync('/output/reports/empty'), fs.statSync('/output/reports/first.bin').size]
