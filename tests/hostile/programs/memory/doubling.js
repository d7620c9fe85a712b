// A text that doubles.
// expect: memory or exception InternalError or exception RangeError or timeout

let text = 'x'.repeat(1000);
for (;;) {
  text += text;
  text.charCodeAt(text.length - 1);
}
