// A method that calls itself by way of its parent.
// expect: exception RangeError

class Parent {
  call() {
    return this.call();
  }
}
class Child extends Parent {
  call() {
    return super.call();
  }
}
new Child().call();
