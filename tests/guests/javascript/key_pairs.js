// Pairs of keys in `crypto` of Node: PEM, tokens, signatures, encryption and shared secrets.
const crypto = require("crypto");
const { promisify } = require("util");

// Made by Node 20.
const rsaPem = `-----BEGIN RSA PRIVATE KEY-----
MIIEogIBAAKCAQEAuvcGaKpjRwJkAlyzxWaHfCAPana+r+uzIWsO4hG5rwATTvoD
siLAvz7tmzIXIsbDiw5nVssCJ7VFdlRMOaPJ3zSuXyBPZdOxjP4p+PmbKeBh+G8j
4X8daPYsWVOHqxY6W8Eo0lJGKBPyYuek3WOqKUXmj0+NHq9jUl50Tn6148PKhL9g
sHQ3EqesWXpKItYw/rS928o4qikMOG189p50cxnVuSy+9dVugC14LY3wTLcMbwbl
i94acxY6VuIfH447XuUoKgARP6bO5QD36fuaGr0jU4QG/FoV/yVPH0oWfOX3b6Jw
sk8cWeNw5jsKgBuwqsau6Jn1YWQXHWs/dIdpdQIDAQABAoIBAAFrhGExoBjnN/67
mQLwDSngbXWLytV3tw/TKhUF+PDPEZZ5OCN3d5rMPc4+smXJeC07cgX6+zx1eD5W
lBChAZTAJ+3hhzDZC4FsYcG6FZdbFKtoHq/lAQJt0jbod0CRpeZSAH8ecFl4E1B0
fXBQBDgVh5OBkWsQ/nJe9Meu1y9QZ0HDkxGLB0lD7L9aZt0kkdiBnXRLgMIbXPER
Vv+doZVx7mAlVqU+rZ8fL+PrbiAueBeFbWkf49CqGDMwpnFMNIGAas/1QK63ULqJ
Fpny35iYKU8lNevxDfJXFSmanz/a+rIQEJvM5nUnoT57/J/rrFNoMbrlzerMTAGL
cW5ljHECgYEA/y496XbnJFmAx98OI8qIwmHZTMw4j9WGqbTq++jkCYtlJr/G/I/f
DTFC/outA7tjkS6kt2sjvMU77lNvlB5Mhee9SHIzgLNyyIfbW7F81ZOx93QfSqGf
0s3wsvLqIFTKtClNtad16Tx2cQpOKyfAKpvEf91Q5rz+tB71UAOhQ6UCgYEAu5C1
wTnCIqT8MqO/fFdO2jGkjxDgc2n681QtOPGhoL2GOvTqbmTEboawWfJ2DUw7Cht4
t2xOZBSBQv7EYR130Bp9eW79exdTjhdLV4ppqGKm7f9FU/+0yoLWfTft2/AvjVB7
uvur75U3Tju55jUaNSQ2s7CeqD2uImaBxuSAZZECgYAMuX2U2r0D7wKg9Np7pmnT
Z5WyYqyfX4Jri/37uc1FPJI6sG13wqTYv5AbqVNjUEDSyISmMM2DaEJoy/hQZoJi
Wv/xUOCIlmou3bduhxc2fzrsn/m/evfBR0utYLeUDSZefYDGgic7DizJzj2/oSfP
+ByAU8To/Jum17Rb3RJ5kQKBgGbzcw/wKALkFBmnj38sXPeer/hnBwvSbBALcBcF
afXUkUzjCZo2bStNepakYu/Bm9ZcZdIn/I8qQhkHxbqYdh8fqydwKGnbz9z6JDyU
mJH4NDAGIYONoypUzm5EuKY0G6WxO3jSkvkaKhUi61LUauIoUm4mz68AzAfNxAXr
fh5BAoGAKGtf/Odg3fmi2xsTZjfF7TbkeNp7stIWMroQceU4i6ktD4ugMhp31X9U
KaP6JFE8w6w1W3n0OYa7cHvJNSNduChcasy35I0vx6L/l+pn2kwD9MpS7VwnaRXM
yOV/bQEhAMd5LFH3UAEeU8kPw6FlC55v0yIQfhsHAwZzV17DrAY=
-----END RSA PRIVATE KEY-----
`;
const ecPem = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIGTCo5ZscZpFV3wU8R5oSQyVsinjhvKnYIMVPdS3T3k4oAoGCCqGSM49
AwEHoUQDQgAEQvcteHIqTertiX9obdRm2z0YYXrunfTZEGSOAXsKg5ogcsWq2iBf
wshVZTDjBlFxtnNbiCJn3gmkq9gF9+xP2A==
-----END EC PRIVATE KEY-----
`;
const edPem = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
`;
const [rsa, ec, ed] = [rsaPem, ecPem, edPem].map((pem) => crypto.createPrivateKey(pem));
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message.split("\n")[0]}`;
  }
};
const message = Buffer.from("message");

// What keys say of themselves, and how they are written.
for (const key of [rsa, ec, ed]) {
  const open = crypto.createPublicKey(key);
  console.log(key.type, open.type, key.asymmetricKeyType, key.asymmetricKeyDetails, key instanceof crypto.KeyObject, String(key));
  for (const type of ["pkcs8", "pkcs1", "sec1", "spki"]) {
    console.log(attempt(() => key.export({ type, format: "pem" })), attempt(() => open.export({ type, format: "pem" })));
    const der = attempt(() => key.export({ type, format: "der" }));
    if (Buffer.isBuffer(der)) console.log(type, crypto.createPrivateKey({ key: der, type, format: "der" }).equals(key));
  }
  console.log(key.export({ format: "jwk" }), open.export({ format: "jwk" }));
  console.log(crypto.createPrivateKey({ key: key.export({ format: "jwk" }), format: "jwk" }).equals(key), key.equals(open));
  console.log(crypto.createPublicKey({ key: key.export({ format: "jwk" }), format: "jwk" }).equals(open));
  console.log(crypto.createPublicKey(open.export({ type: "spki", format: "pem" })).equals(open), crypto.createPublicKey(key.export({ type: "pkcs8", format: "pem" })).equals(open));
}
for (const options of [undefined, {}, { format: "der" }, { format: "pem", type: "spki" }]) console.log(attempt(() => rsa.export(options)));

// Tokens, as programs write them.
const part = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const content = `${part({ alg: "RS256", typ: "JWT" })}.${part({ sub: "1234567890", admin: true })}`;
const token = `${content}.${crypto.createSign("RSA-SHA256").update(content).sign(rsaPem, "base64url")}`;
console.log(token);
const verified = (given, key) => {
  const [head, body, signature] = given.split(".");
  return crypto.createVerify("SHA256").update(`${head}.`).update(body).verify(key, signature, "base64url");
};
console.log(verified(token, crypto.createPublicKey(rsaPem)), verified(token.replace("eyJzdWIi", "eyJzdWIx"), rsaPem), verified(token, rsa));
const jose = crypto.sign("sha256", message, { key: ec, dsaEncoding: "ieee-p1363" });
console.log(jose.length, crypto.verify("sha256", message, { key: ecPem, dsaEncoding: "ieee-p1363" }, jose), crypto.verify("sha256", message, ec, jose));
const plain = crypto.createSign("sha256").update(message).sign(ec);
console.log(plain[0], crypto.verify("sha256", message, ec, plain), crypto.verify("sha256", message, { key: ec, dsaEncoding: "ieee-p1363" }, plain));
console.log(crypto.sign(null, message, ed).toString("hex"), crypto.verify(null, message, crypto.createPublicKey(ed), crypto.sign(undefined, message, edPem)));

// Signatures.
for (const hash of ["sha1", "RSA-SHA256", "SHA384", "sha512"]) {
  const signature = crypto.sign(hash, message, rsa);
  console.log(hash, signature.toString("base64"), crypto.verify(hash, message, rsa, signature), crypto.verify(hash, message.subarray(1), rsa, signature));
  const both = crypto.sign(hash, message, ec);
  console.log(crypto.verify(hash, message, ec, both), crypto.verify(hash, message, ec, both.subarray(1)), crypto.verify(hash, message, ec, Buffer.concat([both, Buffer.of(0)])));
}
const padding = crypto.constants.RSA_PKCS1_PSS_PADDING;
for (const saltLength of [undefined, crypto.constants.RSA_PSS_SALTLEN_DIGEST, crypto.constants.RSA_PSS_SALTLEN_AUTO, 0, 10]) {
  const signature = crypto.sign("sha256", message, { key: rsa, padding, saltLength });
  const checks = [undefined, -1, -2, 0, 10].map((length) => crypto.verify("sha256", message, { key: rsa, padding, saltLength: length }, signature));
  console.log(saltLength, checks.join(), crypto.verify("sha256", message, rsa, signature));
}
console.log(attempt(() => crypto.sign("sha256", message, { key: rsa, padding, saltLength: 250 })));
const signer = crypto.createSign("sha256");
signer.write("mess");
signer.end("age");
console.log(crypto.verify("sha256", message, rsa, signer.sign({ key: rsaPem })), attempt(() => signer.sign(rsa)), attempt(() => signer.update("x")));

// What is refused.
const open = crypto.createPublicKey(rsa);
const wrong = {
  "no key": () => crypto.createPrivateKey("nope"),
  "no public key": () => crypto.createPublicKey("nope"),
  "a public key": () => crypto.createPrivateKey(open.export({ type: "spki", format: "pem" })),
  "a damaged key": () => crypto.createPrivateKey("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"),
  "signed with a public key": () => crypto.sign("sha256", message, open),
  "signed with nothing": () => crypto.sign("sha256", message),
  "no hash": () => crypto.sign("nope", message, rsa),
  "no hash to write to": () => crypto.createSign("nope"),
  "no name": () => crypto.createSign(),
  "a hash for Ed25519": () => crypto.sign("sha256", message, ed),
  "pieces for Ed25519": () => crypto.createSign("sha256").update("a").sign(ed),
  "a signature as text": () => crypto.verify("sha256", message, rsa, "zz"),
  "no signature of ECDSA": () => crypto.verify("sha256", message, ec, Buffer.from("zz")),
  "no signature of RSA": () => crypto.verify("sha256", message, rsa, Buffer.from("zz")),
  "another encoding": () => crypto.sign("sha256", message, { key: ec, dsaEncoding: "x" }),
  "a number that is none": () => crypto.sign("sha256", message, { key: rsa, padding: "6" }),
  "a secret key": () => crypto.sign("sha256", message, crypto.createSecretKey(message)),
  "a pair for HMAC": () => crypto.createHmac("sha256", rsa),
  "a public key of a public key": () => crypto.createPublicKey(open),
  "JSON without numbers": () => crypto.createPublicKey({ key: { kty: "RSA" }, format: "jwk" }),
  "JSON that is no point": () => crypto.createPublicKey({ key: { kty: "EC", crv: "P-256", x: "AA", y: "AA" }, format: "jwk" }),
  "DER without a type": () => crypto.createPublicKey({ key: Buffer.alloc(3), format: "der" }),
  "no such kind": () => crypto.generateKeyPairSync("nope"),
  "no options": () => crypto.generateKeyPairSync("rsa"),
  "no length": () => crypto.generateKeyPairSync("rsa", {}),
  "too short": () => crypto.generateKeyPairSync("rsa", { modulusLength: 256 }),
  "an even exponent": () => crypto.generateKeyPairSync("rsa", { modulusLength: 512, publicExponent: 4 }),
  "no curve": () => crypto.generateKeyPairSync("ec", {}),
  "no such curve": () => crypto.generateKeyPairSync("ec", { namedCurve: "nope" }),
};
for (const [name, work] of Object.entries(wrong)) console.log(name, "|", attempt(work));

// Encryption.
const sealed = crypto.publicEncrypt(open, message);
console.log(sealed.length, crypto.privateDecrypt(rsaPem, sealed).toString(), crypto.privateDecrypt(rsa, crypto.publicEncrypt(rsaPem, message)).toString());
for (const oaepHash of ["sha1", "sha256", "sha512"]) {
  const given = crypto.publicEncrypt({ key: open, oaepHash, oaepLabel: Buffer.from("l") }, message);
  console.log(crypto.privateDecrypt({ key: rsa, oaepHash, oaepLabel: Buffer.from("l") }, given).toString(), attempt(() => crypto.privateDecrypt({ key: rsa, oaepHash }, given)));
}
console.log(attempt(() => crypto.publicEncrypt(open, Buffer.alloc(250))), attempt(() => crypto.privateDecrypt(rsa, Buffer.alloc(12))));
console.log(attempt(() => crypto.publicEncrypt(ec, message)), attempt(() => crypto.privateDecrypt(open, sealed)));

// New pairs.
const forms = { publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", format: "pem" } };
for (const [type, options] of [["rsa", { modulusLength: 1024 }], ["ec", { namedCurve: "prime256v1" }], ["ec", { namedCurve: "P-384" }], ["ec", { namedCurve: "secp521r1" }], ["ed25519"], ["x25519", {}]]) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  console.log(publicKey.type, privateKey.type, privateKey.asymmetricKeyType, privateKey.asymmetricKeyDetails, crypto.createPublicKey(privateKey).equals(publicKey));
  const texts = crypto.generateKeyPairSync(type, { ...options, ...forms });
  console.log(texts.publicKey.split("\n")[0], texts.privateKey.split("\n")[0]);
  const hash = type === "ed25519" ? null : "sha256";
  if (type !== "x25519") console.log(crypto.verify(hash, message, texts.publicKey, crypto.sign(hash, message, texts.privateKey)), crypto.verify(hash, message, publicKey, crypto.sign(hash, message, texts.privateKey)));
  else console.log(attempt(() => crypto.sign(null, message, privateKey)));
}
for (const type of ["x25519", "ec"]) {
  const [one, two] = [0, 1].map(() => crypto.generateKeyPairSync(type, { namedCurve: "P-256" }));
  const secrets = [crypto.diffieHellman({ privateKey: one.privateKey, publicKey: two.publicKey }), crypto.diffieHellman({ privateKey: two.privateKey, publicKey: one.publicKey })];
  console.log(secrets[0].length, secrets[0].equals(secrets[1]), attempt(() => crypto.diffieHellman({ privateKey: one.privateKey, publicKey: ed })));
}
(async () => {
  const pair = await promisify(crypto.generateKeyPair)("ec", { namedCurve: "P-256" });
  console.log(Object.keys(pair).sort().join());
  const signature = await promisify(crypto.sign)("sha256", message, pair.privateKey);
  console.log(await promisify(crypto.verify)("sha256", message, pair.publicKey, signature));
  crypto.generateKeyPair("rsa", { modulusLength: 512, ...forms }, (error, publicKey, privateKey) => console.log(error, publicKey.slice(0, 26), privateKey.slice(0, 27)));
})();
