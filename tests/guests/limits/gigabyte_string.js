console.log("before the string");
let text = "x".repeat(1 << 20);
const parts = [];
for (let index = 0; index < 1024; index++) parts.push(text + index);
text = parts.join("");
console.log(text.length);
