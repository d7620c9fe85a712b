//! What cannot be done on this machine is left out aloud, but not where nobody listens.

use std::{env, ffi::OsStr};

use anyhow::Result;

use crate::progress;

/// What is needed for something, if it is there. Where `CI` is set, it has to be.
pub(crate) fn or_skip<T>(what: &str, needed: Result<T>) -> Result<Option<T>> {
    decide(what, needed, is_ci(env::var_os("CI").as_deref()))
}

fn decide<T>(what: &str, needed: Result<T>, ci: bool) -> Result<Option<T>> {
    match needed {
        Ok(needed) => Ok(Some(needed)),
        Err(error) if ci => Err(error.context(format!("{what} cannot be skipped where CI is set"))),
        Err(error) => {
            progress::note(&format!("{what}: skipped: {error:#}"));
            Ok(None)
        }
    }
}

/// Whether nobody reads what is said here unless it ends badly, by what the variable `CI` says.
fn is_ci(variable: Option<&OsStr>) -> bool {
    variable.is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no))
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn ci_skips_nothing() {
        assert_eq!(decide("tests", Ok(1), true).unwrap(), Some(1));
        assert_eq!(decide::<()>("tests", Err(anyhow!("no QEMU")), false).unwrap(), None);
        let error = format!("{:#}", decide::<()>("tests", Err(anyhow!("no QEMU")), true).unwrap_err());
        assert!(error.contains("tests cannot be skipped") && error.contains("no QEMU"), "{error}");
    }

    #[test]
    fn ci_is_what_says_so() {
        for (value, is) in
            [(None, false), (Some(""), false), (Some("false"), false), (Some("true"), true), (Some("1"), true)]
        {
            assert_eq!(is_ci(value.map(OsStr::new)), is, "{value:?}");
        }
    }
}
