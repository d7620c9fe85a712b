// The names of hashes in `src/crypto/digest.rs`, in Node's lists, and in Web Crypto.

const ALIASES = {
  "sha-1": "sha1",
  "sha-224": "sha224",
  "sha-256": "sha256",
  "sha-384": "sha384",
  "sha-512": "sha512",
  "sha2-224": "sha224",
  "sha2-256": "sha256",
  "sha2-384": "sha384",
  "sha2-512": "sha512",
  "sha512/224": "sha512-224",
  "sha512/256": "sha512-256",
  "sha-512/224": "sha512-224",
  "sha-512/256": "sha512-256",
  rmd160: "ripemd160",
  ripemd: "ripemd160",
  "ripemd-160": "ripemd160",
  ssl3md5: "md5",
  "ssl3-md5": "md5",
  ssl3sha1: "sha1",
  "ssl3-sha1": "sha1",
  "shake-128": "shake128",
  "shake-256": "shake256",
};

// The number of bytes of a digest, and of a block.
export const HASHES = {
  blake2b512: [64, 128],
  blake2s256: [32, 64],
  md5: [16, 64],
  ripemd160: [20, 64],
  sha1: [20, 64],
  sha224: [28, 64],
  sha256: [32, 64],
  "sha3-224": [28, 144],
  "sha3-256": [32, 136],
  "sha3-384": [48, 104],
  "sha3-512": [64, 72],
  sha384: [48, 128],
  sha512: [64, 128],
  "sha512-224": [28, 128],
  "sha512-256": [32, 128],
  shake128: [16, 168],
  shake256: [32, 136],
};

// The name as it is written here, or undefined for an unknown hash.
export function hashName(name) {
  const lower = `${name}`.toLowerCase().replace(/^rsa-/, "");
  const known = ALIASES[lower] ?? lower;
  return Object.hasOwn(HASHES, known) ? known : undefined;
}
