// An array that joins an array that joins. Ends in RangeError.
const list = [
  {
    toString() {
      return list.concat().join();
    },
  },
];
list.join();
