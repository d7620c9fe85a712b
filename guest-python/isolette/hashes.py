"""`hashlib` without OpenSSL: functions that only OpenSSL provides, in Python."""

from isolette.builtin import builtin


def adapt(hashlib):
    """Called with `hashlib`."""

    def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
        """Password based key derivation function 2 (PKCS #5 v2.0) with HMAC as pseudorandom function."""
        import hmac

        if iterations < 1:
            raise ValueError("iteration value must be greater than 0.")
        keyed = hmac.new(bytes(password), None, hash_name)
        dklen = keyed.digest_size if dklen is None else dklen
        if dklen < 1:
            raise ValueError("key length must be greater than 0.")
        key = b""
        block = 0
        while len(key) < dklen:
            block += 1
            last = _digest(keyed, bytes(salt) + block.to_bytes(4))
            mixed = int.from_bytes(last)
            for _ in range(iterations - 1):
                last = _digest(keyed, last)
                mixed ^= int.from_bytes(last)
            key += mixed.to_bytes(keyed.digest_size)
        return key[:dklen]

    hashlib.pbkdf2_hmac = builtin(pbkdf2_hmac)


def _digest(keyed, message):
    once = keyed.copy()
    once.update(message)
    return once.digest()
