//! The interfaces that `--capability` names.

use std::{ffi::OsString, fs, path::PathBuf, str::FromStr};

use anyhow::{Context as _, Result};

/// An interface that the host provides: the path of its WIT, and its name if the WIT has several interfaces with functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Capability {
    interface: Option<String>,
    wit: PathBuf,
}

impl Capability {
    pub(crate) fn new(interface: &str, wit: PathBuf) -> Self {
        Self { interface: Some(interface.to_owned()), wit }
    }

    /// The only interface with functions in the WIT.
    pub(crate) fn only(wit: PathBuf) -> Self {
        Self { interface: None, wit }
    }

    /// The value of the assembler's option.
    pub(super) fn argument(&self) -> Result<OsString> {
        let wit = fs::canonicalize(&self.wit).with_context(|| format!("cannot find {}", self.wit.display()))?;
        let mut argument = OsString::from(self.interface.as_deref().unwrap_or_default());
        argument.push("=");
        argument.push(wit);
        Ok(argument)
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = text.split_once('=').filter(|(interface, _)| interface.contains(':') && interface.contains('/'));
        match named {
            Some((interface, wit)) if !wit.is_empty() => Ok(Self::new(interface, wit.into())),
            None if !text.is_empty() => Ok(Self::only(text.into())),
            _ => Err("expected WIT or INTERFACE=WIT, as in `acme:weather/forecast=weather/wit`".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capability_is_a_path_with_an_optional_interface() {
        let named = Capability::new("acme:weather/forecast", "weather/wit".into());
        assert_eq!("acme:weather/forecast=weather/wit".parse(), Ok(named));
        for wit in ["weather/wit", "a=b/wit", "."] {
            assert_eq!(wit.parse(), Ok(Capability::only(wit.into())), "{wit}");
        }
        for text in ["", "acme:weather/forecast="] {
            assert!(text.parse::<Capability>().is_err(), "{text}");
        }
    }
}
