//! The network policy: which requests are allowed.
//!
//! It decides by the request alone, before any name is resolved, and returns which addresses the name may resolve to.
//! It never resolves names or sends requests itself.

mod address;
mod denial;
mod doubt;
mod mode;
mod path;
mod rule;
mod rule_error;
mod target;
#[cfg(test)]
mod tests;

use isolette_types::Error;
use std::{fmt, net::IpAddr};

use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use url::{Host, Url};

pub use self::{
    address::{Place, Reach, place},
    denial::Denial,
    doubt::may_climb,
    mode::NetworkMode,
    rule::Rule,
    rule_error::RuleError,
};

/// Maximum number of rules of an allowlist. More would be slow to match, and indicate that a program generated them.
pub const RULES_LIMIT: usize = 1024;

/// Which requests of a guest are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// No requests.
    #[default]
    None,
    /// Requests that match at least one of these rules, at most [`RULES_LIMIT`].
    Allowlist(Vec<Rule>),
    /// Requests that only read (`GET` and `HEAD`), over https, to public addresses.
    Web,
    /// All requests to public addresses. Private networks and this machine are not reachable.
    Full,
}

/// The result for a request that the policy allows: the rule or mode that allowed it, and the allowed addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit<'a> {
    rule: Result<&'a Rule, NetworkMode>,
    reach: Reach,
}

impl Network {
    /// Checks that an allowlist has rules, and not more than [`RULES_LIMIT`].
    ///
    /// # Errors
    /// [`NetworkError::Empty`] or [`NetworkError::TooMany`].
    pub fn validate(&self) -> Result<(), NetworkError> {
        match self {
            Self::Allowlist(rules) if rules.is_empty() => Err(NetworkError::Empty),
            Self::Allowlist(rules) if rules.len() > RULES_LIMIT => Err(NetworkError::TooMany(rules.len())),
            _ => Ok(()),
        }
    }

    /// Returns the mode.
    #[must_use]
    pub fn mode(&self) -> NetworkMode {
        match self {
            Self::None => NetworkMode::None,
            Self::Allowlist(_) => NetworkMode::Allowlist,
            Self::Web => NetworkMode::Web,
            Self::Full => NetworkMode::Full,
        }
    }

    /// Returns the rules of an allowlist; none for other modes.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        match self {
            Self::Allowlist(rules) => rules,
            Self::None | Self::Web | Self::Full => &[],
        }
    }

    /// Decides about one request. Must be called again for each redirect.
    ///
    /// If several rules match, the one with the widest reach is used.
    ///
    /// # Errors
    /// The denial, with the rules that were tried.
    pub fn decide(&self, method: &str, url: &Url) -> Result<Permit<'_>, Denial> {
        if rule::FORBIDDEN_METHODS.iter().any(|forbidden| forbidden.eq_ignore_ascii_case(method)) {
            return Err(Denial::method(method, url));
        }
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(Denial::scheme(method, url));
        }
        let permit = match self {
            Self::None => return Err(Denial::off(method, url)),
            Self::Web if !matches!(method, "GET" | "HEAD") || url.scheme() != "https" => {
                return Err(Denial::writes(method, url));
            }
            Self::Web | Self::Full => Permit { rule: Err(self.mode()), reach: Reach::Public },
            Self::Allowlist(rules) => rules
                .iter()
                .filter(|rule| rule.matches(method, url))
                .max_by_key(|rule| rule.reach())
                .map(|rule| Permit { rule: Ok(rule), reach: rule.reach() })
                .ok_or_else(|| Denial::no_rule(method, url, rules))?,
        };
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            _ => None,
        };
        match literal {
            Some(address) if !permit.reach.admits(address) => Err(permit.refuse_addresses(method, url)),
            _ => Ok(permit),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = self.mode();
        match self {
            Self::None => mode.fmt(formatter),
            Self::Web | Self::Full => write!(formatter, "{mode} ({})", mode.summary()),
            Self::Allowlist(rules) => {
                write!(formatter, "{mode}:")?;
                for (index, rule) in rules.iter().enumerate() {
                    write!(formatter, "{} {rule}", if index == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut network = serializer.serialize_struct("Network", 2)?;
        network.serialize_field("mode", self.mode().as_str())?;
        match self {
            Self::Allowlist(rules) => network.serialize_field("rules", rules)?,
            Self::None | Self::Web | Self::Full => network.skip_field("rules")?,
        }
        network.end()
    }
}

impl Permit<'_> {
    /// Returns which addresses may be connected to.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Returns the denial for a host none of whose addresses may be connected to.
    #[must_use]
    pub fn refuse_addresses(&self, method: &str, url: &Url) -> Denial {
        Denial::address(method, url, self.rule.is_err())
    }
}

/// Writes the rule that allowed the request, or the mode: `web`, `full`.
impl fmt::Display for Permit<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Ok(rule) => rule.fmt(formatter),
            Err(mode) => mode.fmt(formatter),
        }
    }
}

/// Rules that cannot be used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}\nhint: {}", self.message(), self.hint())]
#[non_exhaustive]
pub enum NetworkError {
    /// An allowlist without rules. It would deny everything, although its name suggests that it allows something.
    Empty,
    /// More than [`RULES_LIMIT`] rules; has the number of rules.
    TooMany(usize),
}

impl From<NetworkError> for Error {
    fn from(error: NetworkError) -> Self {
        Self::invalid(error.message(), error.hint())
    }
}

impl NetworkError {
    /// Returns what is wrong.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Empty => "the network is an allowlist without rules".into(),
            Self::TooMany(count) => format!("the network has {count} rules, the limit is {RULES_LIMIT}"),
        }
    }

    /// Returns what the user can do.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Empty => "add a rule such as `api.example.com`, or choose the network mode `none`",
            Self::TooMany(_) => "use wildcards (`*.example.com`) and shorter paths",
        }
    }
}
