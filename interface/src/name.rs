//! Names of interfaces.

use std::{fmt, str::FromStr};

use semver::{Comparator, Op, Version};
use serde::{Deserialize, Serialize};

/// The name of an interface: `acme:weather/forecast@1.0.0`. The version is absent if the package has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct InterfaceName {
    /// The namespace: `acme`.
    pub namespace: String,
    /// The package: `weather`.
    pub package: String,
    /// The interface within the package: `forecast`.
    pub interface: String,
    /// The version of the package: `1.0.0`.
    pub version: Option<Version>,
}

/// The error for a text that is not the name of an interface.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the name of an interface\nhint: write NAMESPACE:PACKAGE/INTERFACE, optionally with @VERSION, such as acme:weather/forecast@1.0.0"
)]
pub struct InvalidName(String);

impl InterfaceName {
    /// Returns the name without its version.
    #[must_use]
    pub fn unversioned(&self) -> String {
        format!("{}:{}/{}", self.namespace, self.package, self.interface)
    }

    /// Returns whether both names are of the same interface, in any version.
    #[must_use]
    pub fn is_same_interface(&self, other: &Self) -> bool {
        (&self.namespace, &self.package, &self.interface) == (&other.namespace, &other.package, &other.interface)
    }

    /// Returns whether an interface of this name satisfies an import of `wanted`: the same interface, in the same or a later
    /// compatible version according to Semantic Versioning. An import without a version accepts any version.
    #[must_use]
    pub fn serves(&self, wanted: &Self) -> bool {
        let compatible = match (&self.version, &wanted.version) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(wanted)) => own == wanted || caret(wanted).matches(own),
        };
        self.is_same_interface(wanted) && compatible
    }
}

fn caret(version: &Version) -> Comparator {
    Comparator {
        op: Op::Caret,
        major: version.major,
        minor: Some(version.minor),
        patch: Some(version.patch),
        pre: version.pre.clone(),
    }
}

/// Returns whether a text is a name in WIT: words of letters and digits that start with a letter, separated by `-`.
fn is_kebab(text: &str) -> bool {
    !text.is_empty()
        && text.split('-').all(|word| {
            word.starts_with(|first: char| first.is_ascii_alphabetic())
                && word.chars().all(|letter| letter.is_ascii_alphanumeric())
        })
}

impl FromStr for InterfaceName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let invalid = || InvalidName(text.escape_debug().to_string());
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version.parse().map_err(|_| invalid())?)),
            None => (text, None),
        };
        let (namespace, rest) = name.split_once(':').ok_or_else(invalid)?;
        let (package, interface) = rest.split_once('/').ok_or_else(invalid)?;
        if ![namespace, package, interface].into_iter().all(is_kebab) {
            return Err(invalid());
        }
        Ok(Self { namespace: namespace.into(), package: package.into(), interface: interface.into(), version })
    }
}

impl fmt::Display for InterfaceName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}/{}", self.namespace, self.package, self.interface)?;
        self.version.as_ref().map_or(Ok(()), |version| write!(formatter, "@{version}"))
    }
}

impl From<InterfaceName> for String {
    fn from(name: InterfaceName) -> Self {
        name.to_string()
    }
}

impl TryFrom<String> for InterfaceName {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> InterfaceName {
        text.parse().unwrap()
    }

    #[test]
    fn names_survive_parsing_and_printing() {
        for text in ["acme:weather/forecast", "acme:weather/forecast@1.0.0", "a-b:c/d2@0.1.0-rc.1"] {
            assert_eq!(name(text).to_string(), text);
        }
        for text in
            ["", "forecast", "acme:weather", "acme/weather:x", "acme:weather/fore cast", "a:b/c@1", "a:b/2c", "a:b/c/d"]
        {
            assert!(text.parse::<InterfaceName>().is_err(), "{text}");
        }
    }

    #[test]
    fn versions_are_compatible_by_semantic_versioning() {
        for (own, wanted, expected) in [
            ("a:b/c@1.2.0", "a:b/c@1.0.0", true),
            ("a:b/c@1.2.0", "a:b/c@1.3.0", false),
            ("a:b/c@2.0.0", "a:b/c@1.0.0", false),
            ("a:b/c@0.2.1", "a:b/c@0.2.0", true),
            ("a:b/c@0.3.0", "a:b/c@0.2.0", false),
            ("a:b/c@0.0.2", "a:b/c@0.0.1", false),
            ("a:b/c@1.0.0", "a:b/c", true),
            ("a:b/c", "a:b/c@1.0.0", false),
            ("a:b/c", "a:b/c", true),
            ("a:b/d@1.0.0", "a:b/c@1.0.0", false),
            ("a:b/c@1.0.0-rc.1", "a:b/c@1.0.0-rc.1", true),
            ("a:b/c@1.1.0-rc.1", "a:b/c@1.0.0", false),
        ] {
            assert_eq!(name(own).serves(&name(wanted)), expected, "{own} for {wanted}");
        }
    }
}
