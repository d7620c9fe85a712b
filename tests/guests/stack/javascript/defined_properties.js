// A defined property whose getter defines properties. Ends in RangeError.
const object = {};
function define() {
  Object.defineProperty(object, "field", { get: define, configurable: true });
  return object.field;
}
define();
