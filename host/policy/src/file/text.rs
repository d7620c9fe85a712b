//! Values of policy files as the text from which they are parsed again.

use std::{fmt::Display, time::Duration};

use isolette_types::Language;
use serde::{Serialize, Serializer};

use super::{
    super::{Access, Limits},
    values::{Count, Size, Time, UNLIMITED},
};

impl Time {
    pub(super) fn new(time: Duration) -> Self {
        Self(time)
    }
}

impl Size {
    pub(super) fn new(bytes: u64) -> Self {
        Self(bytes)
    }
}

impl Count {
    pub(super) fn new(count: u64) -> Self {
        Self(count)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Limits::UNLIMITED_TIME => serializer.serialize_str(UNLIMITED),
            time => serializer.collect_str(&humantime::format_duration(time)),
        }
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Limits::UNLIMITED => serializer.serialize_str(UNLIMITED),
            bytes => serializer.collect_str(&format_args!("{bytes}B")),
        }
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Limits::UNLIMITED => serializer.serialize_str(UNLIMITED),
            count => serializer.serialize_u64(count),
        }
    }
}

pub(super) fn time<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(Time).serialize(serializer)
}

pub(super) fn size<S: Serializer>(bytes: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    bytes.map(Size).serialize(serializer)
}

pub(super) fn shown<S: Serializer, T: Display>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_ref().map(ToString::to_string).serialize(serializer)
}

pub(super) fn names<S: Serializer>(languages: &[Language], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(languages.iter().map(|language| language.name()))
}

pub(super) fn access<S: Serializer>(access: &Access, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match access {
        Access::ReadOnly => "ro",
        Access::ReadWrite => "rw",
    })
}
