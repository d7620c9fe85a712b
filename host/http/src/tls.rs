//! TLS for `https` requests: verifies the certificates of servers.
//!
//! The cryptography is `graviola`, because it builds with nothing but rustc
//! (docs/decisions/0003-use-graviola-for-tls.md). It panics on processors that it does not support, so the host checks
//! the processor before it is used.

use std::{
    io,
    sync::{Arc, OnceLock},
};

use isolette_abi::http::HttpError;
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName},
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::{TlsConnector, client::TlsStream};

/// The client side of TLS for one sandbox. Sessions are resumed within it, and never across sandboxes.
pub(super) struct Tls {
    trusted: Vec<CertificateDer<'static>>,
    config: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Tls {
    /// Creates a client that trusts these certificates in addition to the machine's.
    pub(super) fn new(trusted: Vec<CertificateDer<'static>>) -> Self {
        Self { trusted, config: OnceLock::new() }
    }

    /// Performs the handshake with the peer, which must have a certificate for `host`.
    pub(super) async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        host: &str,
        stream: S,
    ) -> Result<TlsStream<S>, HttpError> {
        let config = self.config.get_or_init(|| configure(&self.trusted, graviola::util::is_cpu_supported()));
        let config = config.clone().map_err(HttpError::Tls)?;
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned())
            .map_err(|_| HttpError::Tls(format!("`{host}` is not a name that a certificate can have")))?;
        TlsConnector::from(config).connect(name, stream).await.map_err(|error| HttpError::Tls(explain(host, &error)))
    }
}

/// Returns the TLS configuration that the host's own requests use, for parts of the project that implement HTTP
/// themselves.
///
/// # Errors
/// [`isolette_types::Error::Unavailable`] on a processor that the cryptography does not support.
pub fn tls_configuration() -> Result<ClientConfig, isolette_types::Error> {
    match configure(&[], graviola::util::is_cpu_supported()) {
        Ok(config) => Ok(ClientConfig::clone(&config)),
        Err(reason) => Err(isolette_types::Error::Unavailable {
            what: "https".into(),
            reason,
            hint: "use another machine, or plain http on the loopback interface".into(),
        }),
    }
}

fn explain(host: &str, error: &io::Error) -> String {
    match error.get_ref().and_then(|source| source.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(why)) => {
            format!(
                "the certificate of `{host}` is not trusted: {why}\nhint: the machine that runs the sandbox must trust its issuer"
            )
        }
        _ => format!("the TLS handshake with `{host}` failed: {error}"),
    }
}

pub(super) fn configure(trusted: &[CertificateDer<'static>], supported: bool) -> Result<Arc<ClientConfig>, String> {
    if !supported {
        return Err(
            "this machine's processor lacks instructions that https needs here (AES, PCLMULQDQ, AVX2, BMI, ADX; \
             on ARM AES, SHA-2, PMULL)\nhint: use a processor made after 2014, or a virtual one that passes them on"
                .into(),
        );
    }
    let mut roots = machine_roots().clone();
    if !trusted.is_empty() {
        let mut all = RootCertStore::clone(&roots);
        all.add_parsable_certificates(trusted.iter().cloned());
        roots = Arc::new(all);
    }
    let provider = Arc::new(rustls_graviola::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Returns the root certificates of the machine, so that an organisation's own authorities are trusted. Mozilla's if
/// there are none, as in a bare container.
fn machine_roots() -> &'static Arc<RootCertStore> {
    static ROOTS: OnceLock<Arc<RootCertStore>> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if roots.is_empty() {
            roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        }
        Arc::new(roots)
    })
}
