// A defined property whose getter defines properties.
// expect: exception RangeError

const object = {};
function define() {
  Object.defineProperty(object, "field", { get: define, configurable: true });
  return object.field;
}
define();
