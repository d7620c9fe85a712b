//! Values with units, as the command line has them too.

use std::time::Duration;

use isolette::{Isolation, Language, policy::Access};
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::arguments;

/// `"30s"`
pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    arguments::duration(&text).map(Some).map_err(D::Error::custom)
}

/// `"256MiB"`
pub(super) fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    arguments::size(&text).map(Some).map_err(D::Error::custom)
}

pub(super) fn isolation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Isolation>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(|error| D::Error::custom(arguments::one_line(error)))
}

pub(super) fn languages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Language>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    names.iter().map(|name| name.parse().map_err(|error| D::Error::custom(arguments::one_line(error)))).collect()
}

pub(super) fn access<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Access, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "ro" | "read-only" => Ok(Access::ReadOnly),
        "rw" | "read-write" => Ok(Access::ReadWrite),
        other => Err(D::Error::custom(format!("unknown access `{other}`; use `ro` or `rw`"))),
    }
}
