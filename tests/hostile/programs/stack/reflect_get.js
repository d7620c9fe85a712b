// Reflection on a getter that reflects.
// expect: exception RangeError

const object = {
  get field() {
    return Reflect.get(object, "field");
  },
};
Reflect.get(object, "field");
