// An object whose printed form prints it. Ends in RangeError or a value.
const object = {
  [Symbol.for("nodejs.util.inspect.custom")]() {
    console.log(object);
    return "object";
  },
};
console.log(object);
