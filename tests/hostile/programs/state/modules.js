// Libraries changed for the next program.
// expect: contained

Math.PI2 = Math.random = () => 3;
Array.prototype.map = () => 'leak';
result = 'contained';
