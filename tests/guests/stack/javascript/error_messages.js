// An error whose message is an error. Ends in RangeError.
class Failure extends Error {
  get message() {
    return String(new Failure());
  }
}
throw new Failure().message;
