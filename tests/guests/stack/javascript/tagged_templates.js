// A tag that tags. Ends in RangeError.
const tag = (strings, ...values) => tag`${values}`;
tag`${1}`;
