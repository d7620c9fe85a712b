// A tag that tags.
// expect: exception RangeError

const tag = (strings, ...values) => tag`${values}`;
tag`${1}`;
