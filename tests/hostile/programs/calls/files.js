// Questions about files without end.
// expect: timeout or host call rate or cpu time

const fs = await import('fs');
for (;;) fs.existsSync('/output/none');
