//! Secrets are named in files and on command lines, never written there.

use std::{
    env, fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use serde::Deserialize;
use zeroize::Zeroizing;

use crate::HeaderSecret;
use isolette_types::{Error, Secret};

/// Secrets are short.
const LENGTH_LIMIT: u64 = 64 << 10;

/// Where a secret is: `env:VARIABLE` or `file:PATH`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
#[non_exhaustive]
pub enum SecretReference {
    /// In a variable of the host's environment.
    Variable(String),
    /// In a file, without the white space around it.
    File(PathBuf),
}

impl SecretReference {
    /// Takes a relative path as meant from a folder.
    pub fn resolve(&mut self, folder: &Path) {
        if let Self::File(path) = self {
            *path = folder.join(&*path);
        }
    }

    /// Reads it, now that it is needed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] or [`Error::Io`] if it is not there, or empty.
    pub fn read(&self) -> Result<Secret, Error> {
        // What is read here is copied, and must not lie about afterwards.
        let text = Zeroizing::new(match self {
            Self::Variable(name) => env::var(name).map_err(|_| Error::InvalidArgument {
                message: format!("the variable `{name}` is to hold a secret, and is not set"),
                hint: format!("set {name}, or name another place"),
            })?,
            Self::File(path) => {
                let failed =
                    |source| Error::Io { context: format!("cannot read the secret in `{}`", path.display()), source };
                if fs::metadata(path).map_err(failed)?.len() > LENGTH_LIMIT {
                    return Err(Error::InvalidArgument {
                        message: format!("`{}` is too long for a secret", path.display()),
                        hint: "name a file that holds the secret and nothing else".into(),
                    });
                }
                fs::read_to_string(path).map_err(failed)?
            }
        });
        // Empty is what a variable looks like that was forgotten.
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
        // What is wrong here may be the secret itself, so it is not repeated.
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

/// Whether the secrets that a file names are read, or only checked for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// They are read from where they are.
    Read,
    /// A placeholder takes their place.
    LeftOut,
}

/// A secret that the host adds to requests, as a policy has it: `[secrets.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct SecretFile {
    /// Where the secret is.
    pub from: Option<SecretReference>,
    /// Which requests it is added to, in the grammar of network rules.
    pub rule: Option<String>,
    /// The header that it is added as, and what stands before it there: `Authorization: Bearer` (the default), `X-Api-Key`.
    pub header: Option<String>,
}

impl SecretFile {
    pub(super) fn over(self, below: Self) -> Self {
        Self { from: self.from.or(below.from), rule: self.rule.or(below.rule), header: self.header.or(below.header) }
    }

    /// With the secret itself, or without it where only the rest matters.
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
        // What is not read is not there to be shown either.
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
