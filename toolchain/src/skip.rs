//! Skips what this machine cannot do, with a message. In CI it is an error instead, because messages are not read there.

use std::{env, ffi::OsStr};

use anyhow::Result;

use crate::progress;

/// Returns what is needed, or `None` with a message if it is missing. An error if `CI` is set.
pub(crate) fn or_skip<T>(what: &str, needed: Result<T>) -> Result<Option<T>> {
    decide(what, needed, is_in_ci())
}

/// Whether `CI` is set.
pub(crate) fn is_in_ci() -> bool {
    is_ci(env::var_os("CI").as_deref())
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

/// Whether the value of the variable `CI` means that this is CI.
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
