//! Certificates for loopback servers, generated for one test.

use std::{error::Error, sync::Arc};

use graviola::{
    hashing::Sha256,
    signing::ecdsa::{P256, SigningKey},
};
use rcgen::{
    BasicConstraints, CertificateParams, Error as RcgenError, IsCa, Issuer, PKCS_ECDSA_P256_SHA256, PublicKeyData,
    SerialNumber, SignatureAlgorithm,
};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
};

struct Key {
    private: SigningKey<P256>,
    public: Vec<u8>,
}

impl Key {
    fn generate() -> Result<Self, Box<dyn Error>> {
        let failed = |error| format!("{error:?}");
        let private = SigningKey::<P256>::generate().map_err(failed)?;
        let mut buffer = [0; 256];
        let encoded = private.to_spki_der(&mut buffer).map_err(failed)?;
        // The uncompressed point is the last part.
        let public = encoded[encoded.len() - 65..].to_vec();
        Ok(Self { private, public })
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.public
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl rcgen::SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, RcgenError> {
        let mut buffer = [0; 128];
        let signature = self.private.sign_asn1::<Sha256>(&[message], &mut buffer);
        Ok(signature.map_err(|_| RcgenError::RemoteKeyError)?.to_vec())
    }
}

/// Returns an authority, and the configuration of a server with a certificate of it for `names`.
pub(super) fn server(names: &[&str]) -> Result<(CertificateDer<'static>, Arc<ServerConfig>), Box<dyn Error>> {
    let authority_key = Key::generate()?;
    let mut authority = CertificateParams::default();
    authority.serial_number = Some(SerialNumber::from(1));
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = authority.self_signed(&authority_key)?;

    let key = Key::generate()?;
    let mut leaf = CertificateParams::new(names.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    leaf.serial_number = Some(SerialNumber::from(2));
    let certificate = leaf.signed_by(&key, &Issuer::new(authority, authority_key))?;
    let mut buffer = [0; 256];
    let private = key.private.to_pkcs8_der(&mut buffer).map_err(|error| format!("{error:?}"))?.to_vec();

    let config = ServerConfig::builder_with_provider(Arc::new(rustls_graviola::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(private)))?;
    Ok((root.der().clone(), Arc::new(config)))
}
