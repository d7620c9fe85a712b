//! Keys of 32 bytes in PKCS #8 and SPKI, according to RFC 8410.

use p256::pkcs8::{
    ObjectIdentifier, PrivateKeyInfoRef, SubjectPublicKeyInfoRef,
    der::{Decode, asn1::OctetStringRef},
};

pub(super) type Short = [u8; 32];

/// The end of the object identifier, after `1.3.101.`.
#[derive(Clone, Copy)]
pub(super) enum Name {
    X25519 = 110,
    Ed25519 = 112,
}

impl Name {
    fn is(self, identifier: &ObjectIdentifier) -> bool {
        identifier.as_bytes() == [0x2b, 0x65, self as u8]
    }
}

/// Reads a private key; both versions of PKCS #8 are accepted.
pub(super) fn from_pkcs8(name: Name, der: &[u8]) -> Option<Short> {
    let info = PrivateKeyInfoRef::try_from(der).ok()?;
    let private: &OctetStringRef = Decode::from_der(info.private_key.as_bytes()).ok()?;
    if name.is(&info.algorithm.oid) { private.as_bytes().try_into().ok() } else { None }
}

pub(super) fn from_spki(name: Name, der: &[u8]) -> Option<Short> {
    let info = SubjectPublicKeyInfoRef::try_from(der).ok()?;
    if name.is(&info.algorithm.oid) { info.subject_public_key.as_bytes()?.try_into().ok() } else { None }
}

/// Writes a private key as PKCS #8, a public one as SPKI. PKCS #8 has the first version, without the public key, like in other
/// implementations.
pub(super) fn encode(name: Name, format: &str, key: &[u8]) -> Option<Vec<u8>> {
    let key: &Short = key.try_into().ok()?;
    let name = name as u8;
    let mut der = match format {
        "pkcs8" => vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, name, 4, 0x22, 4, 0x20],
        "spki" => vec![0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, name, 3, 0x21, 0],
        _ => return None,
    };
    der.extend(key);
    Some(der)
}
