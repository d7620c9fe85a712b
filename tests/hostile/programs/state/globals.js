// Names left for the next program.
// expect: contained

globalThis.leak = 'leak';
Object.prototype.leak = 'leak';
Array.leak = 'leak';
result = 'contained';
