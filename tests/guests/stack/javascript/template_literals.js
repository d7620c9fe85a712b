// A template that is made of itself. Ends in RangeError.
const text = () => `${text()}`;
text();
