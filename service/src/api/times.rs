//! Times in requests.

use std::time::Duration;

use isolette::policy::{Limits, parse_duration};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// A time with its unit: `500ms`, `30s`, `2h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_duration(&text).map(Self).map_err(|why| D::Error::custom(format!("`{}`: {why}", text.escape_debug())))
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Limits::UNLIMITED_TIME => serializer.serialize_str("unlimited"),
            time => serializer.collect_str(&humantime::format_duration(time)),
        }
    }
}

impl PartialSchema for Span {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A time with its unit: `500ms`, `30s`, `2h`"))
            .examples(["30s"])
            .into()
    }
}

impl ToSchema for Span {}
