//! The domain of sandboxes, and the host by which a client has addressed the server.

use http::{HeaderMap, HeaderName, header};
use isolette::Error;

use crate::id;

/// The header in which one replica tells another how the client has addressed it.
pub(in crate::api) const ADDRESSED_AS: HeaderName = HeaderName::from_static("isolette-addressed-as");

/// The domain below which sandboxes are hosts, with a port if it is not that of the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct E2bDomain(String);

impl E2bDomain {
    /// Reads a name of a host, with or without a port.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if it cannot have names below it.
    pub fn new(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::invalid(
                format!("`{}` cannot be the domain of sandboxes", text.escape_debug()),
                "name a host, with or without a port, and no address: sandboxes.example.com, or localhost:7070",
            )
        };
        let text = text.to_ascii_lowercase();
        let (name, port) = text.split_once(':').unwrap_or((&text, "443"));
        // The longest name of a sandbox is this much longer (RFC 1035, section 2.3.4).
        let is_name = name.len() <= 253 - 64 && name.split('.').all(id::is_label);
        let is_address = name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        match is_name && is_port && !is_address {
            true => Ok(Self(text)),
            false => Err(wrong()),
        }
    }

    pub(super) fn name(&self) -> &str {
        self.0.split_once(':').map_or(&self.0, |(name, _)| name)
    }
}

/// The domain that clients get with a sandbox: that of the operator, else the host and the port that the client has addressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddressedAs(pub(in crate::api) String);

impl AddressedAs {
    pub(crate) fn of(headers: &HeaderMap, domain: Option<&E2bDomain>, is_passed_on: bool) -> Self {
        let told = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let earlier = told(ADDRESSED_AS).filter(|_| is_passed_on);
        let host = || earlier.or_else(|| told(header::HOST)).filter(|host| !host.is_empty());
        // Without a domain, clients would send programs and tokens to E2B.
        Self(domain.map(|domain| domain.0.as_str()).or_else(host).unwrap_or("localhost").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_domain_is_that_of_the_operator_or_the_host() {
        let of = |pairs: &[(&'static str, &'static str)], domain: Option<&E2bDomain>, is_passed_on| {
            let headers = pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            AddressedAs::of(&headers.collect(), domain, is_passed_on).0
        };
        let own = E2bDomain::new("e2b.localhost:1").ok();
        let both = [("host", "10.0.0.7:7070"), ("isolette-addressed-as", "a.example:7070")];
        assert_eq!(of(&both, None, false), "10.0.0.7:7070");
        assert_eq!(of(&both, None, true), "a.example:7070");
        assert_eq!(of(&both, own.as_ref(), true), "e2b.localhost:1");
        assert_eq!(of(&[], None, false), "localhost");
    }

    #[test]
    fn a_domain_is_a_name_of_a_host() {
        for text in ["localhost", "localhost:7070", "Sandboxes.example.com", "a-1.b:1"] {
            assert_eq!(E2bDomain::new(text).unwrap().0, text.to_lowercase());
        }
        for text in [
            "",
            ":80",
            "a:",
            "a:x",
            "a:99999",
            "127.0.0.1:7070",
            "[::1]:80",
            "a_b",
            ".a",
            "a.",
            "a..b",
            "a/b",
            "-a",
            "http://a",
        ] {
            assert!(E2bDomain::new(text).is_err(), "{text}");
        }
        assert!(E2bDomain::new(&"a.".repeat(120)).is_err());
    }
}
