//! The modes of the network policy, by name.

use std::{fmt, str::FromStr};

use isolette_types::Error;
use isolette_work::nearest;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Network;

/// Which requests are allowed, without the rules: the name of a [`Network`], as policy files and flags have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkMode {
    /// No requests.
    None,
    /// Requests that a rule allows.
    Allowlist,
    /// Requests that only read (`GET` and `HEAD`), over https, to public addresses.
    Web,
    /// All requests to public addresses.
    Full,
}

const NAMES: [&str; 4] = [
    NetworkMode::None.as_str(),
    NetworkMode::Allowlist.as_str(),
    NetworkMode::Web.as_str(),
    NetworkMode::Full.as_str(),
];

impl NetworkMode {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::None, Self::Allowlist, Self::Web, Self::Full];

    /// Returns the name: `none`, `allowlist`, `web` or `full`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Allowlist => "allowlist",
            Self::Web => "web",
            Self::Full => "full",
        }
    }

    /// Returns which requests the mode allows, in a few words.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::None => "no requests",
            Self::Allowlist => "requests that a rule allows",
            Self::Web => "GET and HEAD over https, every public address",
            Self::Full => "every public address",
        }
    }

    /// Returns whether the mode is complete in itself, so that rules in addition would contradict it.
    pub(crate) fn has_no_rules(self) -> bool {
        match self {
            Self::None | Self::Web | Self::Full => true,
            Self::Allowlist => false,
        }
    }
}

impl Serialize for NetworkMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Display for NetworkMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for NetworkMode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text).ok_or_else(|| {
            let list = NAMES.map(|name| format!("`{name}`")).join(", ");
            let hint = match nearest(text, NAMES.into_iter(), 1).first() {
                Some(near) => format!("did you mean `{near}`? The modes are {list}"),
                None => format!("the modes are {list}"),
            };
            Error::invalid(format!("there is no network mode `{}`", text.escape_debug()), hint)
        })
    }
}

impl<'de> Deserialize<'de> for NetworkMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| de::Error::unknown_variant(&text, &NAMES))
    }
}

impl From<NetworkMode> for Network {
    /// An allowlist has no rules yet.
    fn from(mode: NetworkMode) -> Self {
        match mode {
            NetworkMode::None => Self::None,
            NetworkMode::Allowlist => Self::Allowlist(Vec::new()),
            NetworkMode::Web => Self::Web,
            NetworkMode::Full => Self::Full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for mode in NetworkMode::ALL {
            assert_eq!(mode.to_string().parse::<NetworkMode>().unwrap(), mode);
            assert_eq!(Network::from(mode).mode(), mode);
        }
        let error = "allowlst".parse::<NetworkMode>().unwrap_err().to_string();
        assert!(error.contains("no network mode `allowlst`") && error.contains("did you mean `allowlist`?"), "{error}");
    }
}
