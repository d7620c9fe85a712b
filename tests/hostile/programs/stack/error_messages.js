// An error whose message is an error.
// expect: exception RangeError

class Failure extends Error {
  get message() {
    return String(new Failure());
  }
}
throw new Failure().message;
