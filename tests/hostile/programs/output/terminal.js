// Signs that a terminal takes for commands, and bytes that are no text.
// expect: contained

console.log('\x1b[2J\x1b]0;title\x07\x00\u202e');
process.stdout.write(Uint8Array.from({ length: 256 }, (_, n) => n));
result = 'contained';
