//! Secrets are named in the file, never written into it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use isolette::{Error, Secret};
use serde::Deserialize;

/// Secrets are short.
const LENGTH_LIMIT: u64 = 64 << 10;

/// Where a secret is: `env:VARIABLE` or `file:PATH`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum SecretReference {
    Variable(String),
    File(PathBuf),
}

impl SecretReference {
    pub(super) fn resolve(&mut self, folder: &Path) {
        if let Self::File(path) = self {
            *path = folder.join(&*path);
        }
    }

    /// Reads it, now that it is needed.
    pub(crate) fn read(&self) -> Result<Secret, Error> {
        let text = match self {
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
        };
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
