//! Secrets in policy files and on command lines. They contain a reference to a secret, never the secret itself.

use std::{
    env,
    path::{Path, PathBuf},
    str::FromStr,
};

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::{HeaderSecret, text_file::read_text_within};
use isolette_types::{Error, Secret};

/// Maximum length of a secret file in bytes. Secrets are short.
const LENGTH_LIMIT: u64 = 64 << 10;

/// A reference to a secret: `env:VARIABLE` or `file:PATH`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum SecretReference {
    /// An environment variable of the host.
    Variable(String),
    /// A file; white space around the secret is removed.
    File(PathBuf),
}

impl SecretReference {
    /// Resolves a relative path against a directory.
    pub fn resolve(&mut self, folder: &Path) {
        if let Self::File(path) = self {
            *path = folder.join(&*path);
        }
    }

    /// Reads the secret.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::Io`] if it does not exist or is empty.
    pub fn read(&self) -> Result<Secret, Error> {
        // The text is copied into the secret, so this copy must be overwritten.
        let text = Zeroizing::new(match self {
            Self::Variable(name) => env::var(name).map_err(|_| Error::InvalidArgument {
                message: format!("the variable `{name}` is to hold a secret, and is not set"),
                hint: format!("set {name}, or name another place"),
            })?,
            Self::File(path) => {
                let failed =
                    |source| Error::Io { context: format!("cannot read the secret in `{}`", path.display()), source };
                read_text_within(path, LENGTH_LIMIT).map_err(failed)?.ok_or_else(|| Error::InvalidArgument {
                    message: format!("`{}` is too long for a secret", path.display()),
                    hint: "name a file that holds the secret and nothing else".into(),
                })?
            }
        });
        // An empty variable usually is one that was never set.
        match text.trim() {
            "" => Err(Error::InvalidArgument {
                message: format!("the secret in {self} is empty"),
                hint: "put the secret there".into(),
            }),
            secret => Ok(Secret::new(secret)),
        }
    }
}

impl std::fmt::Display for SecretReference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(name) => write!(formatter, "the variable `{name}`"),
            Self::File(path) => write!(formatter, "`{}`", path.display()),
        }
    }
}

impl FromStr for SecretReference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The invalid text may be the secret itself, so the error does not repeat it.
        match text.split_once(':') {
            Some(("env", name)) if !name.is_empty() => Ok(Self::Variable(name.to_owned())),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            _ => Err("a secret is named by `env:VARIABLE` or `file:PATH`, and never written out".into()),
        }
    }
}

impl TryFrom<String> for SecretReference {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<SecretReference> for String {
    fn from(place: SecretReference) -> Self {
        match place {
            SecretReference::Variable(name) => format!("env:{name}"),
            SecretReference::File(path) => format!("file:{}", path.display()),
        }
    }
}

/// Whether the secrets that a file refers to are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// Secrets are read from their sources.
    Read,
    /// Secrets are replaced by a placeholder, to check all other settings.
    LeftOut,
}

/// A secret that the host adds to requests, as in a policy file: `[secrets.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SecretFile {
    /// The reference to the secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<SecretReference>,
    /// The requests that it is added to, as a network rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The header that the secret is added as, with an optional prefix: `Authorization: Bearer` (the default),
    /// `X-Api-Key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

impl SecretFile {
    pub(super) fn over(self, below: Self) -> Self {
        Self { from: self.from.or(below.from), rule: self.rule.or(below.rule), header: self.header.or(below.header) }
    }

    /// Returns the secret bound to its rule and header, with its value or a placeholder.
    pub(super) fn bound(&self, name: &str, secrets: Secrets) -> Result<HeaderSecret, Error> {
        let missing = |what: &str, hint: &str| Err(Error::invalid(format!("the secret `{name}` has no {what}"), hint));
        let Some(from) = &self.from else {
            return missing("place", "say where it is: `from = \"env:VARIABLE\"`, or `--secret NAME=env:VARIABLE`");
        };
        let Some(rule) = &self.rule else {
            return missing(
                "rule",
                "say which requests it is for: `rule = \"https://api.example.com\"`, or `--secret-rule NAME=RULE`",
            );
        };
        // A secret that is not read cannot be disclosed.
        let value = match secrets {
            Secrets::Read => from.read()?,
            Secrets::LeftOut => Secret::new("not read"),
        };
        let secret = HeaderSecret::new(name, value, rule)?;
        match &self.header {
            Some(header) => secret.header(header),
            None => Ok(secret),
        }
    }
}
