// A method that calls itself by way of its parent. Ends in RangeError.
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
