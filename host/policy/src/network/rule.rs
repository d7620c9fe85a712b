//! Network rules: the lines of an allowlist.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use super::{Reach, RuleError, path::Prefix};

/// Methods that change the meaning of a request, or echo it with the headers that the host added.
pub(super) const FORBIDDEN_METHODS: [&str; 3] = ["CONNECT", "TRACE", "TRACK"];

/// A network rule, which allows requests to one target.
///
/// ```text
/// [METHOD[,METHOD…] ]TARGET[ +private]
/// TARGET = [http://|https://]HOST[:PORT][/PATH]
/// HOST   = a domain, `*.` and a domain, an IPv4 address, or an IPv6 address in brackets
/// ```
///
/// - Without methods, every method is allowed (but never `CONNECT`, `TRACE` and `TRACK`). `GET` does not include
///   `HEAD`.
/// - Without a scheme, both `http` and `https` are allowed.
/// - Without a port, only the default port of the scheme is allowed: 80 or 443.
/// - `*.example.com` matches every name below `example.com`, at any depth, and not `example.com` itself.
/// - The path is a prefix that ends at the end of a segment: `/v1` matches `/v1` and `/v1/users`, not `/v10`.
/// - Names that resolve to private addresses are denied after resolution, unless the rule ends with `+private`. A rule
///   whose host is an IP address or `localhost` needs no `+private`. `+private` never allows link-local addresses
///   (where clouds keep their metadata services), multicast and unspecified ones: only a rule with that very address
///   does.
/// - Names are at most 253 bytes long, 63 between dots, as in DNS (RFC 1035, section 2.3.4), and targets 2,048 bytes,
///   both as they are written and as they are printed.
///
/// Examples: `api.example.com`, `GET,HEAD *.example.com`, `https://api.example.com:8443/v1`, `POST intranet.example.com
/// +private`, `http://localhost:8080`. The rule and the request are normalised in the same way before they are
/// compared, so `HTTPS://API.Example.COM.:443/v1/` equals `https://api.example.com/v1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Rule {
    /// Sorted, in upper case. Empty: all methods.
    pub(super) methods: Vec<String>,
    pub(super) scheme: Option<Scheme>,
    pub(super) host: Pattern,
    /// `None`: the default port of the scheme.
    pub(super) port: Option<u16>,
    pub(super) path: Prefix,
    pub(super) private: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    pub(super) fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// The host of a rule. Domains are in ASCII, in lower case and without a trailing dot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pattern {
    Exactly(Host),
    Below(String),
}

impl Rule {
    /// Restricts the rule to these methods. Case does not matter.
    ///
    /// # Errors
    /// A [`RuleError`] for text that is not a method, and for methods that are never allowed.
    pub fn methods<M: AsRef<str>>(mut self, methods: impl IntoIterator<Item = M>) -> Result<Self, RuleError> {
        self.methods.clear();
        for method in methods {
            let method = method.as_ref().to_ascii_uppercase();
            if FORBIDDEN_METHODS.contains(&method.as_str()) {
                return Err(self.bad(format!("allows {method}, which is always denied"), "leave that method out"));
            }
            if !is_method(&method) {
                return Err(self.bad(
                    format!("has `{method}` where a method is expected"),
                    "write methods such as `GET,POST`, separated by commas, before the target",
                ));
            }
            self.methods.push(method);
        }
        self.methods.sort_unstable();
        self.methods.dedup();
        if self.methods.is_empty() {
            return Err(
                self.bad("allows no method".into(), "name at least one, or leave the methods out for all of them")
            );
        }
        Ok(self)
    }

    /// Also allows private addresses, as `+private` does.
    #[must_use]
    pub fn private(mut self) -> Self {
        self.private = true;
        self
    }

    /// Returns the target without methods and `+private`: `https://api.example.com/v1`. Two rules with the same target
    /// differ only in these.
    #[must_use]
    pub fn target(&self) -> String {
        Self { methods: Vec::new(), private: false, ..self.clone() }.to_string()
    }

    /// Returns the methods that the rule allows, in upper case and sorted. Empty: all methods.
    #[must_use]
    pub fn allowed_methods(&self) -> &[String] {
        &self.methods
    }

    /// Returns whether the rule allows this request. The URL is already parsed, which is half of the normalisation.
    pub fn matches(&self, method: &str, url: &Url) -> bool {
        self.is_for(method, url) && self.path.contains(url.path())
    }

    /// Returns whether some server may read the request as one that the rule allows.
    pub fn may_match(&self, method: &str, url: &Url) -> bool {
        self.is_for(method, url) && self.path.may_contain(url.path())
    }

    /// Returns the segment of the path that a server may read as leading out of the rule's path, if it is the only
    /// reason why the rule does not allow this request.
    pub(super) fn doubt<'a>(&self, method: &str, url: &'a Url) -> Option<&'a str> {
        self.is_for(method, url).then(|| self.path.doubt(url.path())).flatten()
    }

    fn is_for(&self, method: &str, url: &Url) -> bool {
        let scheme = match url.scheme() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return false,
        };
        (self.methods.is_empty() || self.methods.iter().any(|allowed| allowed.eq_ignore_ascii_case(method)))
            && self.scheme.is_none_or(|allowed| allowed == scheme)
            && url.port().unwrap_or(scheme.default_port()) == self.port.unwrap_or(scheme.default_port())
            && url.host().is_some_and(|host| self.host.matches(&host))
    }

    /// Returns whether the rule requires plain `http`.
    pub fn is_plain(&self) -> bool {
        self.scheme == Some(Scheme::Http)
    }

    /// Returns which addresses the rule allows.
    pub(super) fn reach(&self) -> Reach {
        match &self.host {
            Pattern::Exactly(Host::Ipv4(_) | Host::Ipv6(_)) => Reach::Any,
            _ if self.private => Reach::Private,
            Pattern::Exactly(Host::Domain(name)) if name == "localhost" => Reach::Loopback,
            _ => Reach::Public,
        }
    }

    fn bad(&self, problem: String, hint: &str) -> RuleError {
        RuleError::new(&self.to_string(), problem, hint)
    }
}

impl Pattern {
    fn matches(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (Self::Exactly(Host::Domain(allowed)), Host::Domain(name)) => without_root(name) == allowed,
            (Self::Exactly(Host::Ipv4(allowed)), Host::Ipv4(address)) => address == allowed,
            (Self::Exactly(Host::Ipv6(allowed)), Host::Ipv6(address)) => address == allowed,
            (Self::Below(domain), Host::Domain(name)) => without_root(name)
                .strip_suffix(domain.as_str())
                .and_then(|labels| labels.strip_suffix('.'))
                .is_some_and(|labels| !labels.is_empty()),
            _ => false,
        }
    }
}

/// Removes the dot of the root: `example.com.` is `example.com`.
pub(super) fn without_root(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

/// Returns whether a text is a method. This is narrower than the tokens of the standard, so that a host cannot be read as a method.
fn is_method(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 32
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'-' | b'_'))
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.methods.is_empty() {
            write!(formatter, "{} ", self.methods.join(","))?;
        }
        if let Some(scheme) = self.scheme {
            write!(formatter, "{}://", scheme.as_str())?;
        }
        match &self.host {
            Pattern::Exactly(host) => write!(formatter, "{host}")?,
            Pattern::Below(domain) => write!(formatter, "*.{domain}")?,
        }
        if let Some(port) = self.port {
            write!(formatter, ":{port}")?;
        }
        write!(formatter, "{}{}", self.path, if self.private { " +private" } else { "" })
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for Rule {
    type Error = RuleError;

    fn try_from(text: String) -> Result<Self, RuleError> {
        text.parse()
    }
}
