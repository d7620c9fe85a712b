//! The formats of keys.

use rsa::{
    BoxedUint, PrivateKey, PublicKey,
    pkcs1::{ALGORITHM_OID, EncodeRsaPrivateKey, EncodeRsaPublicKey, RsaPrivateKeyRef, RsaPublicKeyRef},
    pkcs8::{EncodePrivateKey, EncodePublicKey, PrivateKeyInfoRef, SubjectPublicKeyInfoRef, der::Decode},
    traits::{PrivateKeyParts, PublicKeyParts},
};

use super::{BITS, Key, Refusal};

fn number(bytes: &[u8]) -> Option<BoxedUint> {
    let bits = u32::try_from(bytes.len().max(1)).ok()?.checked_mul(8)?;
    BoxedUint::from_be_slice(bytes, bits).ok()
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len())..]
}

fn from_numbers(modulus: &[u8], numbers: &[&[u8]]) -> Option<Key> {
    let mut fitting = Vec::new();
    for bytes in numbers.iter().map(|bytes| without_zeros(bytes)) {
        fitting.push(if bytes.len() > modulus.len() { return None } else { number(bytes)? });
    }
    let modulus = number(modulus)?;
    // It checks the public exponent, for private keys too.
    let public = PublicKey::new_with_size_limits(modulus.clone(), fitting.first()?.clone(), BITS).ok()?;
    match <[BoxedUint; 4]>::try_from(fitting) {
        Ok([exponent, private, first, second]) => {
            let key = PrivateKey::from_components(modulus, exponent, private, vec![first, second]).ok()?;
            Some(Key::Private(Box::new(key)))
        }
        Err(numbers) if numbers.len() == 1 => Some(Key::Public(public)),
        Err(_) => None,
    }
}

fn from_private(der: &[u8]) -> Result<Key, Refusal> {
    let key = RsaPrivateKeyRef::from_der(der).map_err(|_| Refusal::Invalid)?;
    if key.other_prime_infos.is_some() {
        return Err(Refusal::Invalid);
    }
    let parts = [key.modulus, key.public_exponent, key.private_exponent, key.prime1, key.prime2];
    Key::from_parts(&parts.each_ref().map(|part| part.as_bytes()))
}

fn from_public(der: &[u8]) -> Result<Key, Refusal> {
    let key = RsaPublicKeyRef::from_der(der).map_err(|_| Refusal::Invalid)?;
    Key::from_parts(&[key.modulus.as_bytes(), key.public_exponent.as_bytes()])
}

impl Key {
    /// `format` is `pkcs8`, `spki`, `pkcs1-private` or `pkcs1-public`.
    pub fn read(format: &str, der: &[u8]) -> Result<Key, Refusal> {
        match format {
            "pkcs8" => match PrivateKeyInfoRef::try_from(der) {
                Ok(info) if info.algorithm.oid == ALGORITHM_OID => from_private(info.private_key.as_bytes()),
                _ => Err(Refusal::Invalid),
            },
            "spki" => match SubjectPublicKeyInfoRef::try_from(der) {
                Ok(info) if info.algorithm.oid == ALGORITHM_OID => {
                    from_public(info.subject_public_key.as_bytes().ok_or(Refusal::Invalid)?)
                }
                _ => Err(Refusal::Invalid),
            },
            "pkcs1-private" => from_private(der),
            "pkcs1-public" => from_public(der),
            _ => Err(Refusal::Invalid),
        }
    }

    /// `parts` are modulus and public exponent, and of a private key also its exponent and the two primes. The size of the
    /// modulus is checked before any computation, and no other number may be longer.
    pub fn from_parts(parts: &[&[u8]]) -> Result<Key, Refusal> {
        let [modulus, numbers @ ..] = parts else { return Err(Refusal::Invalid) };
        let modulus = without_zeros(modulus);
        let bits = modulus.first().map_or(0, |first| modulus.len() * 8 - first.leading_zeros() as usize);
        if !BITS.contains(&bits) {
            return Err(Refusal::Size(bits));
        }
        from_numbers(modulus, numbers).ok_or(Refusal::Invalid)
    }

    /// Modulus and public exponent, and of a private key also its exponent, the primes, the exponents for each of them, and the
    /// inverse of the second prime.
    pub fn parts(&self) -> Vec<Vec<u8>> {
        let mut numbers = vec![self.public().n().clone().get(), self.public().e().clone()];
        if let Some(private) = self.private() {
            numbers.push(private.d().clone());
            numbers.extend(private.primes().iter().map(|prime| prime.clone().get()));
            numbers.extend([private.dp(), private.dq()].into_iter().flatten().cloned());
            numbers.extend(private.crt_coefficient());
        }
        numbers.iter().map(|number| number.to_be_bytes_trimmed_vartime().into_vec()).collect()
    }

    /// `format` is one that `read` accepts, for a key that supports it.
    pub fn write(&self, format: &str) -> Option<Vec<u8>> {
        match (format, self.private()) {
            ("pkcs8", Some(private)) => private.to_pkcs8_der().ok().map(|der| der.as_bytes().to_vec()),
            ("pkcs1-private", Some(private)) => private.to_pkcs1_der().ok().map(|der| der.as_bytes().to_vec()),
            ("spki", _) => self.public().to_public_key_der().ok().map(|der| der.into_vec()),
            ("pkcs1-public", _) => self.public().to_pkcs1_der().ok().map(|der| der.into_vec()),
            _ => None,
        }
    }
}
