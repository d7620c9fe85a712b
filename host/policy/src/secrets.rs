//! Secrets that the host adds to requests, and that programs never receive.

use std::fmt;

use http::{HeaderName, HeaderValue, header::AUTHORIZATION};
use serde::Serialize;
use url::Url;

use super::network::Rule;
use crate::is_of_connection;
use isolette_types::{Error, Secret};

/// Minimum length of a secret in characters: a shorter one would occur in many texts by chance, and be redacted there.
const SHORTEST: usize = 8;

/// A secret without its value: which requests it is added to, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SecretRule {
    /// The name of the secret.
    pub name: String,
    /// The requests that the secret is added to. It does not allow them; the network's own rules do.
    pub rule: Rule,
    /// The header, with the prefix before the secret.
    pub header: String,
}

impl fmt::Display for SecretRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} as `{}`, for {}", self.name, self.header, self.rule)
    }
}

/// A secret, bound to one network rule and one header.
///
/// The host adds it to a request when the network policy has allowed the request, the rule matches, and a TLS
/// connection to the very server of the URL is established; each redirect is decided about anew. Requests over plain
/// `http` get it only if the rule begins with `http://`. A header of the same name that a program sets is replaced.
///
/// The program receives no information about it. A server can send the secret back: where it occurs in a response as it
/// is, as in JSON or as in a URL, with any mixture of encodings, the program receives `[redacted]` instead. In any
/// other encoding, or in pieces, a server can disclose the secret to the program, so bind secrets only to servers that
/// you trust with them.
///
/// ```
/// use isolette::HeaderSecret;
///
/// let secret = HeaderSecret::new("github", "hunter2-token", "https://api.github.com")?;
/// let other = HeaderSecret::new("weather", "hunter2-token", "GET https://api.example.com/v1")?.header("X-Api-Key")?;
/// # Ok::<(), isolette::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeaderSecret {
    bound: SecretRule,
    header: HeaderName,
    prefix: String,
    value: Secret,
}

impl HeaderSecret {
    /// Creates a secret that is added as `Authorization: Bearer SECRET`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the name or the rule is invalid, or the secret is shorter than 8 characters or has
    /// characters that are not allowed in a header.
    pub fn new(name: &str, value: impl Into<Secret>, rule: &str) -> Result<Self, Error> {
        let value = value.into();
        let bad =
            |why: &str, hint: &str| Err(Error::invalid(format!("the secret `{}` {why}", name.escape_debug()), hint));
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() > 64 || !name.bytes().all(is_name) {
            return bad("has no usable name", "use letters, digits, `_` and `-`, at most 64");
        }
        if value.expose().chars().count() < SHORTEST {
            return bad("has fewer than 8 characters", "use a longer one: a short one cannot be kept out of texts");
        }
        if HeaderValue::from_str(value.expose()).is_err() {
            return bad("has characters that cannot stand in a header", "look for line breaks in it");
        }
        let rule: Rule = rule.parse()?;
        let bound = SecretRule { name: name.to_owned(), rule, header: String::new() };
        Self { bound, header: AUTHORIZATION, prefix: String::new(), value }.header("Authorization: Bearer")
    }

    /// Sets another header: `X-Api-Key`, or with a prefix, `Authorization: token`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if it is not a valid header name, or a header that the host controls.
    pub fn header(mut self, header: &str) -> Result<Self, Error> {
        const OF_THE_HOST: [&str; 4] = ["host", "accept-encoding", "content-encoding", "range"];
        let (name, prefix) = header.split_once(':').unwrap_or((header, ""));
        let prefix = prefix.trim();
        let parsed = HeaderName::from_bytes(name.trim().as_bytes()).ok();
        let parsed = parsed.filter(|name| !is_of_connection(name) && !OF_THE_HOST.contains(&name.as_str()));
        let (Some(parsed), Ok(_)) = (parsed, HeaderValue::from_str(prefix)) else {
            return Err(Error::invalid(
                format!("the secret `{}` cannot be added as `{}`", self.bound.name, header.escape_debug()),
                "name a header such as `X-Api-Key` or `Authorization: Bearer`",
            ));
        };
        self.bound.header =
            if prefix.is_empty() { name.trim().to_owned() } else { format!("{}: {prefix}", name.trim()) };
        (self.header, self.prefix) = (parsed, prefix.to_owned());
        Ok(self)
    }

    /// Returns the rule and the header, without the value.
    #[must_use]
    pub fn bound(&self) -> &SecretRule {
        &self.bound
    }

    /// Returns the secret itself.
    pub fn value(&self) -> &Secret {
        &self.value
    }

    /// Returns the header to add to a request that the network policy has allowed. `None` if the secret is not for this
    /// request.
    pub fn header_for(&self, method: &str, url: &Url) -> Option<(HeaderName, HeaderValue)> {
        if !self.bound.rule.matches(method, url) || !(url.scheme() == "https" || self.bound.rule.is_plain()) {
            return None;
        }
        let between = if self.prefix.is_empty() { "" } else { " " };
        let text = zeroize::Zeroizing::new(format!("{}{between}{}", self.prefix, self.value.expose()));
        // Both parts were checked when the secret was created.
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some((self.header.clone(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(rule: &str, method: &str, url: &str) -> bool {
        let secret = HeaderSecret::new("api", "hunter2-token", rule).unwrap();
        secret.header_for(method, &url.parse().unwrap()).is_some()
    }

    #[test]
    fn it_is_for_what_its_rule_says_and_nothing_else() {
        assert!(sent("https://api.example.com/v1", "GET", "https://api.example.com/v1/x"));
        assert!(sent("api.example.com", "GET", "https://api.example.com/"));
        for (rule, method, url) in [
            ("https://api.example.com/v1", "GET", "https://api.example.com/v10"),
            ("GET https://api.example.com", "POST", "https://api.example.com/"),
            ("https://api.example.com", "GET", "https://api.example.com.evil.example/"),
            ("https://api.example.com", "GET", "https://evil.example/api.example.com"),
            ("https://api.example.com", "GET", "https://api.example.com:8443/"),
            // Not over plain `http`, unless the rule requires it.
            ("https://api.example.com", "GET", "http://api.example.com/"),
            ("api.example.com", "GET", "http://api.example.com/"),
        ] {
            assert!(!sent(rule, method, url), "{rule} {method} {url}");
        }
        assert!(sent("http://api.example.com", "GET", "http://api.example.com/"));
    }

    #[test]
    fn nothing_shows_it() {
        let secret = HeaderSecret::new("api", "hunter2-token", "https://a.example").unwrap();
        let (_, value) = secret.header_for("GET", &"https://a.example/".parse().unwrap()).unwrap();
        assert_eq!(value, "Bearer hunter2-token");
        assert!(!format!("{secret:?} {value:?} {}", secret.bound()).contains("hunter2"));
        for (value, header) in
            [("hunter2", "A"), ("hunter2\r\nx: y", "A"), ("hunter2-token", "Host"), ("hunter2-token", "a b")]
        {
            let error =
                HeaderSecret::new("api", value, "https://a.example").and_then(|it| it.header(header)).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn the_header_can_be_another() {
        let secret = HeaderSecret::new("api", "hunter2-token", "https://a.example").unwrap();
        let (name, value) =
            secret.header("X-Api-Key").unwrap().header_for("GET", &"https://a.example/".parse().unwrap()).unwrap();
        assert_eq!((name.as_str(), value.as_bytes()), ("x-api-key", b"hunter2-token".as_slice()));
    }
}
