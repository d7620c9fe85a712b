"""`hashlib`, `hmac`, `zlib` checksums, `secrets`."""

import hashlib
import hmac
import secrets
import zlib

for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s"):
    print(name, hashlib.new(name, b"isolette").hexdigest()[:32])
digest = hashlib.sha256()
for part in (b"iso", b"lette"):
    digest.update(part)
print(digest.hexdigest() == hashlib.sha256(b"isolette").hexdigest(), digest.digest_size, digest.block_size)
print(hashlib.shake_128(b"x").hexdigest(8), hashlib.blake2b(b"x", digest_size=8, key=b"k").hexdigest())
print(hmac.new(b"key", b"message", "sha256").hexdigest(), hmac.compare_digest("a", "a"))
print(zlib.crc32(b"hello"), zlib.adler32(b"hello"), {"sha256", "md5"} <= hashlib.algorithms_available)
print(
    len(secrets.token_hex(16)),
    secrets.token_bytes(8) != secrets.token_bytes(8),
    secrets.choice([1]) == 1,
    secrets.randbelow(10) < 10,
)
print(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", 10).hex())
