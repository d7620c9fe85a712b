// Every call escapes independently of the previous one.
const querystring = require("querystring");
const url = require("url");
for (let round = 0; round < 3; round += 1) {
  console.log(querystring.escape("a b"), querystring.escape("ü&="), querystring.escape("plain"));
}
console.log(querystring.stringify({ "a b": "c d", "e f": ["g h", "i j"], "k&l": "m=n", o: "p" }));
console.log(url.format({ pathname: "/find", query: { "first name": "Ann Lee", city: "New York", "a&b": "c&d" } }));
console.log(url.format({ protocol: "https", host: "example.org", pathname: "x", search: "a#b#c", hash: "d" }));
