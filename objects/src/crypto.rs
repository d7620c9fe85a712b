//! The digests and codes of authenticity that requests are signed with.

use hmac::{Hmac, KeyInit as _, Mac as _};
use object_store::{
    Error, Result,
    client::{CryptoProvider, DigestAlgorithm, DigestContext, HmacContext, Signer, SigningAlgorithm},
};
use sha2::{Digest as _, Sha256};

/// The cryptography of the host.
#[derive(Debug)]
pub(crate) struct Crypto;

struct Digest(Sha256, [u8; 32]);

struct Code(Hmac<Sha256>, [u8; 32]);

impl CryptoProvider for Crypto {
    fn digest(&self, algorithm: DigestAlgorithm) -> Result<Box<dyn DigestContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => Ok(Box::new(Digest(Sha256::new(), [0; 32]))),
            other => Err(absent(&format!("{other:?}"))),
        }
    }

    fn hmac(&self, algorithm: DigestAlgorithm, secret: &[u8]) -> Result<Box<dyn HmacContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => {
                let code = Hmac::<Sha256>::new_from_slice(secret).map_err(|error| absent(&error.to_string()))?;
                Ok(Box::new(Code(code, [0; 32])))
            }
            other => Err(absent(&format!("{other:?}"))),
        }
    }

    fn sign(&self, algorithm: SigningAlgorithm, _: &[u8]) -> Result<Box<dyn Signer>> {
        // Only other providers of storage than S3 sign with a private key.
        Err(absent(&format!("{algorithm:?}")))
    }
}

fn absent(what: &str) -> Error {
    Error::NotSupported { source: format!("{what} is not supported").into() }
}

impl DigestContext for Digest {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.1 = self.0.finalize_reset().into();
        Ok(&self.1)
    }
}

impl HmacContext for Code {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.1 = self.0.clone().finalize().into_bytes().into();
        Ok(&self.1)
    }
}
