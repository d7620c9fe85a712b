// A text that was put together from three million pieces and then looked into.
// expect: value

let text = "";
for (let count = 0; count < 3_000_000; count++) text += "ab";
text.indexOf("bb");
