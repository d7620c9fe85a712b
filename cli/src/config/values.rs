//! Values with units, in the syntax of the command line.

use std::time::Duration;

use isolette::policy::{parse_duration, parse_size};
use serde::{Deserialize, Deserializer, de::Error as _};

/// `"30s"`
pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_duration(&text).map(Some).map_err(D::Error::custom)
}

/// `"256MiB"`
pub(super) fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_size(&text).map(Some).map_err(D::Error::custom)
}
