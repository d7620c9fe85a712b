//! Values with units in policy files: durations, sizes and counts.

use std::{str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, de::Error as _};

use super::super::{Access, Limits};
use isolette_types::{Error, Language};

/// The word for no limit. No limit has this value by accident.
pub(super) const UNLIMITED: &str = "unlimited";

/// Parses a duration: `30s`, or `unlimited`. It must not be zero.
///
/// # Errors
/// A message of one line that says what was expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    if text == UNLIMITED {
        return Ok(Limits::UNLIMITED_TIME);
    }
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("must be longer than nothing".into()),
        // A number this large cannot be represented; only the word means `unlimited`.
        Ok(Limits::UNLIMITED_TIME) => Err("is longer than can be counted; `unlimited` is a word of its own".into()),
        Ok(duration) => Ok(duration),
        Err(error) => Err(format!("{error}; expected a time with its unit, as in `500ms`, `30s` or `2m`")),
    }
}

/// Parses a size in bytes: `256MiB`. It must not be zero.
///
/// # Errors
/// A message of one line that says what was expected.
pub fn parse_size(text: &str) -> Result<u64, String> {
    match text.parse::<bytesize::ByteSize>() {
        Ok(size) if size.as_u64() == 0 => Err("must be more than nothing".into()),
        // The parser returns this value for every larger number.
        Ok(size) if size.as_u64() == Limits::UNLIMITED => Err("is more than can be counted".into()),
        Ok(size) => Ok(size.as_u64()),
        Err(_) => Err("expected a size with its unit, as in `256MiB` or `1GiB`".into()),
    }
}

/// A time: `"30s"`, or `"unlimited"`.
pub(super) struct Time(pub(super) Duration);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse_duration(&String::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
    }
}

pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    Time::deserialize(deserializer).map(|time| Some(time.0))
}

/// Memory cannot be `unlimited`, since the address space of a guest is limited.
pub(super) fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    parse_size(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

/// A size in bytes: `"256MiB"`, or `"unlimited"`.
pub(super) struct Size(pub(super) u64);

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match &*String::deserialize(deserializer)? {
            UNLIMITED => Ok(Self(Limits::UNLIMITED)),
            text => parse_size(text).map(Self).map_err(D::Error::custom),
        }
    }
}

/// A count: `1000`, or `"unlimited"`.
pub(super) struct Count(pub(super) u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Parsed {
            Number(u64),
            Text(String),
        }
        match Parsed::deserialize(deserializer) {
            Ok(Parsed::Number(number)) => Ok(Self(number)),
            Ok(Parsed::Text(text)) if text == UNLIMITED => Ok(Self(Limits::UNLIMITED)),
            _ => Err(D::Error::custom("expected a number that is not negative, or `\"unlimited\"`")),
        }
    }
}

/// A name of a setting.
pub(super) fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err = Error>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(|error| D::Error::custom(one_line(error)))
}

pub(super) fn languages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Language>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    names.iter().map(|name| name.parse().map_err(|error| D::Error::custom(one_line(error)))).collect()
}

pub(super) fn access<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Access, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|error| D::Error::custom(one_line(error)))
}

/// The caller puts the place of the mistake before the message, so the hint follows on the same line.
fn one_line(error: Error) -> String {
    match error {
        Error::InvalidArgument { message, hint } => format!("{message}; {hint}"),
        error => error.to_string(),
    }
}
