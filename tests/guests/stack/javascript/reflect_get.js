// Reflection on a getter that reflects. Ends in RangeError.
const object = {
  get field() {
    return Reflect.get(object, "field");
  },
};
Reflect.get(object, "field");
