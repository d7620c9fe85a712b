// A template that is made of itself.
// expect: exception RangeError

const text = () => `${text()}`;
text();
