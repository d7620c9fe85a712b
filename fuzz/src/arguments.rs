//! A schema, and a handwritten check of it.

use serde_json::{Value, json};

/// Returns the schema of the arguments.
#[must_use]
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1, "maxLength": 8},
            "days": {"type": "integer", "minimum": 1, "maximum": 7},
            "unit": {"enum": ["C", "F", null]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "uniqueItems": true},
            "place": {
                "type": "object",
                "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
                "required": ["lat", "lon"]
            }
        },
        "required": ["city"],
        "additionalProperties": false
    })
}

/// Returns whether a value matches the schema.
#[must_use]
pub fn fits(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    object.contains_key("city")
        && object.iter().all(|(name, value)| match name.as_str() {
            "city" => value.as_str().is_some_and(|text| (1..=8).contains(&text.chars().count())),
            "days" => value.as_f64().is_some_and(|number| number.fract() == 0.0 && (1.0..=7.0).contains(&number)),
            "unit" => value.is_null() || value == "C" || value == "F",
            "tags" => value.as_array().is_some_and(|tags| {
                tags.len() <= 3
                    && tags.iter().all(Value::is_string)
                    && (1..tags.len()).all(|place| !tags[..place].contains(&tags[place]))
            }),
            "place" => value.as_object().is_some_and(|place| {
                place.get("lat").is_some_and(Value::is_number) && place.get("lon").is_some_and(Value::is_number)
            }),
            _ => false,
        })
}
