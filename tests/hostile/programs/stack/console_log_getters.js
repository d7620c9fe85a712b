// A thousand objects that print each other.
// expect: exception RangeError or value

const objects = Array.from({ length: 1000 }, () => ({}));
objects.forEach((object, index) => {
  object.toString = () => String(objects[(index + 1) % 1000]);
});
console.log(`${objects[0]}`);
