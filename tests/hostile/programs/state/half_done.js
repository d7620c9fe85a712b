// An end in the middle of everything.
// expect: timeout

const fs = await import('fs');
fs.writeFileSync('/output/half', 'half');
process.stdout.write('half');
call_tool('echo', { value: 1 });
for (;;);
