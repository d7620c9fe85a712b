//! Reads the fields of a JSON object that may specify a method. All others are skipped without being stored.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use super::is_method_field;

/// Names and values, in the order of the document; a name may occur twice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fields(pub(super) Vec<(String, String)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfObject)
    }
}

struct OfObject;

impl<'de> Visitor<'de> for OfObject {
    type Value = Fields;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if is_method_field(&name) {
                fields.extend(map.next_value::<Text>()?.0.map(|value| (name, value)));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Fields(fields))
    }

    /// A list has no fields.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Fields, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Fields(Vec::new()))
    }
}

/// A text, or `None` for a value that cannot specify a method.
struct Text(Option<String>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfText)
    }
}

struct OfText;

impl<'de> Visitor<'de> for OfText {
    type Value = Text;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text(Some(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Text, E> {
        Ok(Text(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Text, E> {
        Ok(Text(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Text, E> {
        Ok(Text(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Text, E> {
        Ok(Text(None))
    }

    fn visit_unit<E>(self) -> Result<Text, E> {
        Ok(Text(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text(None))
    }

    /// PHP and others read the elements of a list one by one; one that specifies a method is enough.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text, A::Error> {
        let mut texts = Vec::new();
        while let Some(Text(text)) = list.next_element()? {
            texts.extend(text);
        }
        Ok(Text((!texts.is_empty()).then(|| texts.join(","))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Option<Vec<(String, String)>> {
        serde_json::from_str(json).ok().map(|Fields(fields)| fields)
    }

    #[test]
    fn only_fields_that_name_a_method_are_kept() {
        let found = |name: &str, value: &str| Some(vec![(name.to_owned(), value.to_owned())]);
        assert_eq!(fields(r#"{"a": [1], "_method": "PUT", "b": {"_method": "DELETE"}}"#), found("_method", "PUT"));
        assert_eq!(fields(r#"{"\u005fmethod": "PUT"}"#), found("_method", "PUT"));
        assert_eq!(fields(r#"{".method": ["PUT", 1]}"#), found(".method", "PUT"));
        assert_eq!(fields(r#"[{"_method": "PUT"}]"#), Some(Vec::new()));
        for other in ["null", "1", "true", "1.5", "{}", "-1", r#"{"a": "_method"}"#] {
            let json = format!(r#"{{"_method": {other}, "method": "PUT"}}"#);
            assert_eq!(fields(&json), Some(Vec::new()), "{json}");
        }
        assert_eq!(fields(r#"{"_method": "PUT""#), None);
    }
}
