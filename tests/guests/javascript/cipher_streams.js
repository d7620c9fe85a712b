// What a cipher is given is its own from then on; CTR gives back what it gets at once; a tag is no matter of choice.
const crypto = require("crypto");
const key = Buffer.alloc(32, 1);
const iv = Buffer.alloc(16, 255);
const whole = crypto.createCipheriv("aes-256-ctr", key, iv);
const expected = Buffer.concat([whole.update("a".repeat(1000)), whole.final()]).toString("hex");
const pieces = crypto.createCipheriv("aes-256-ctr", key, iv);
key.fill(9);
iv.fill(9);
const given = [1, 15, 16, 17, 51, 300, 600].map((size) => pieces.update("a".repeat(size)));
console.log(given.map((piece) => piece.length), pieces.final().length, Buffer.concat(given).toString("hex") === expected);
const nonce = Buffer.alloc(12, 3);
const secret = Buffer.alloc(16, 4);
const sealed = crypto.createCipheriv("aes-128-gcm", secret, nonce);
const content = Buffer.concat([sealed.update("the content that is sealed"), sealed.final()]);
const tag = sealed.getAuthTag();
console.log(content.toString("hex"), tag.toString("hex"));
const opened = (use) => {
  const opening = crypto.createDecipheriv("aes-128-gcm", secret, nonce);
  use(opening);
  try {
    const text = opening.update(content);
    return Buffer.concat([text, opening.final()]).toString();
  } catch (error) {
    return error.message;
  }
};
console.log(opened((opening) => opening.setAuthTag(tag)));
console.log(opened(() => {}));
console.log(opened((opening) => opening.setAuthTag(Buffer.alloc(16))));
console.log(
  opened((opening) => {
    const own = Buffer.from(tag);
    opening.setAuthTag(own);
    own.fill(0);
  }),
);
const together = crypto.createDecipheriv("aes-128-gcm", secret, nonce);
together.update(Buffer.concat([content, tag]));
try {
  together.final();
} catch (error) {
  console.log(error.message);
}
