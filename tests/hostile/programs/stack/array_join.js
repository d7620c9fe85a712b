// An array that joins an array that joins.
// expect: exception RangeError

const list = [
  {
    toString() {
      return list.concat().join();
    },
  },
];
list.join();
