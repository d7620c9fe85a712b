//! Describes validation mistakes so that a model can correct them: the field, what was expected, what was received, and
//! what was probably meant.

use std::io::{self, Write};

use jsonschema::{ValidationError, error::ValidationErrorKind};
use serde_json::Value;

use super::counted::is_unseen;
use crate::schema::list;
use crate::text::clipped;
use isolette_work::nearest;

/// Maximum number of mistakes that are reported at once, so that a call can be corrected in one attempt.
pub(super) const MISTAKES: usize = 3;
/// Maximum number of values or names that are listed.
const LISTED: usize = 30;
/// Maximum number of characters of a value or a name that are quoted.
const QUOTED: usize = 100;
/// Maximum length, in characters, of a sentence that comes from the validator.
const SENTENCE: usize = 300;
/// Maximum number of values among which the intended one is searched.
const MEANT: usize = 1_000;

/// Describes one mistake. `what` says what the value is a part of (`argument` or `result`). A hint is on a line of its
/// own.
pub(super) fn sentence(error: &ValidationError<'_>, schema: &Value, what: &str) -> String {
    let place = place(error, what);
    let got = || quoted(error.instance());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().map_or_else(|| property.to_string(), str::to_owned);
            let below = error.instance_path().to_string();
            format!("{what} `{}` is required and missing", dotted(&format!("{below}/{name}")))
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let known = known_names(error, schema);
            let names: Vec<String> =
                unexpected.iter().take(LISTED).map(|name| format!("`{}`", clipped(name, QUOTED))).collect();
            let there_are = match known.as_slice() {
                [] => "there are none".to_owned(),
                known => format!("there are {}", known.join(", ")),
            };
            let meant = unexpected.first().and_then(|name| nearest(name, known.iter().copied(), 1).first().copied());
            let hint = meant.map(|meant| format!("\nhint: did you mean `{meant}`?")).unwrap_or_default();
            let names = names.join(", ");
            match error.instance_path().to_string().is_empty() {
                true => format!("there is no {what} {names} ({there_are}){hint}"),
                false => format!("{place}has no {names} ({there_are}){hint}"),
            }
        }
        ValidationErrorKind::Enum { options } => one_of(&place, options.as_array().map_or(&[], Vec::as_slice), error),
        ValidationErrorKind::Constant { expected_value } => {
            format!("{place}must be {}, not {}", quoted(expected_value), got())
        }
        ValidationErrorKind::Type { .. } => {
            let kinds = match schema_at(error, schema) {
                Some(Value::String(kind)) => kind.clone(),
                Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
                _ => return by_itself(&place, error),
            };
            format!("{place}must be {kinds}, not {}", got())
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let variants = context.iter().filter_map(|errors| errors.iter().find(|it| !is_unseen(it.instance())));
            let variants: Vec<String> = variants.take(MISTAKES).map(|error| sentence(error, schema, what)).collect();
            let hints: Vec<&str> =
                variants.iter().filter_map(|variant| variant.split_once('\n')).map(|(_, hint)| hint).collect();
            let hint = hints.first().map(|hint| format!("\n{hint}")).unwrap_or_default();
            let sentences: Vec<&str> =
                variants.iter().map(|variant| variant.split('\n').next().unwrap_or_default()).collect();
            format!("{}{hint}", sentences.join(", or "))
        }
        _ => by_itself(&place, error),
    }
}

/// The validator's own message, with the value shortened.
fn by_itself(place: &str, error: &ValidationError<'_>) -> String {
    clipped(&format!("{place}{}", error.masked_with(quoted(error.instance()))), SENTENCE).into_owned()
}

fn one_of(place: &str, options: &[Value], error: &ValidationError<'_>) -> String {
    let mut listed: Vec<String> = options.iter().take(LISTED).map(quoted).collect();
    if options.len() > LISTED {
        listed.push(format!("… ({} more)", options.len() - LISTED));
    }
    let meant = error.instance().as_str().and_then(|text| {
        let texts: Vec<&str> = options.iter().filter_map(Value::as_str).take(MEANT).collect();
        nearest(text, texts.into_iter(), 1).first().map(|text| format!("\nhint: did you mean \"{text}\"?"))
    });
    let got = quoted(error.instance());
    format!("{place}must be one of {}, not {got}{}", listed.join(", "), meant.unwrap_or_default())
}

/// Text such as `argument `tags.1` `, or a name for the whole value.
fn place(error: &ValidationError<'_>, what: &str) -> String {
    match error.instance_path().to_string() {
        path if path.is_empty() => format!("the {what} "),
        path => format!("{what} `{}` ", dotted(&path)),
    }
}

fn dotted(path: &str) -> String {
    clipped(&path.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~"), QUOTED).into_owned()
}

/// The beginning of a value. The rest is not serialized.
fn quoted(value: &Value) -> String {
    let mut beginning = Beginning(Vec::new());
    // Serialization fails when the buffer is full.
    let _ = serde_json::to_writer(&mut beginning, value);
    clipped(&String::from_utf8_lossy(&beginning.0), QUOTED).into_owned()
}

struct Beginning(Vec<u8>);

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character has at most four bytes, and one more character shows that the value was truncated.
        let room = (4 * (QUOTED + 1)).saturating_sub(self.0.len());
        if room == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let taken = bytes.len().min(room);
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The value of the keyword that failed, if it is in this document.
fn schema_at<'a>(error: &ValidationError<'_>, schema: &'a Value) -> Option<&'a Value> {
    schema.pointer(&error.schema_path().to_string())
}

/// The names of properties that the object may have.
fn known_names<'a>(error: &ValidationError<'_>, schema: &'a Value) -> Vec<&'a str> {
    let path = error.schema_path().to_string();
    let object = path.rsplit_once('/').and_then(|(object, _)| schema.pointer(object)).unwrap_or(schema);
    let own = object.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.as_str());
    let parts = list(object, "allOf").iter().filter_map(|part| part.get("properties")?.as_object()).flatten();
    own.chain(parts.map(|(name, _)| name.as_str())).take(LISTED).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_quoted_up_to_a_length() {
        assert_eq!(quoted(&json!({"a": "é"})), "{\"a\":\"é\"}");
        assert_eq!(quoted(&json!("é".repeat(1_000))).chars().count(), QUOTED + 1);
    }
}
