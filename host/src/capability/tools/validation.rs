//! Values against schemas, in words with which a model can put things right: the field, what was expected, what came,
//! and what was probably meant.

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

use crate::{
    catalog::nearest,
    declarations::schema::{clipped, list},
};

/// Mistakes that are told at once: enough to mend a call in one go.
const MISTAKES: usize = 3;
/// Values or names that are listed.
const LISTED: usize = 30;
/// Characters of a value that are quoted.
const QUOTED: usize = 100;
/// Characters of a sentence that the validator made.
const SENTENCE: usize = 300;

/// What is wrong with a value. `what` says what it is a part of: `argument`, `result`.
pub(super) fn mistakes(validator: &Validator, schema: &Value, value: &Value, what: &str) -> Option<String> {
    if validator.is_valid(value) {
        return None;
    }
    let mut told: Vec<String> = Vec::new();
    let mut more = 0_usize;
    for error in validator.iter_errors(value) {
        let sentence = sentence(&error, schema, what);
        if told.contains(&sentence) {
            continue;
        }
        if told.len() < MISTAKES { told.push(sentence) } else { more += 1 }
    }
    // Advice comes on lines of its own, at the end.
    let (sentences, hints): (Vec<String>, Vec<String>) = told
        .into_iter()
        .map(|sentence| match sentence.split_once("\nhint: ") {
            Some((sentence, hint)) => (sentence.to_owned(), hint.to_owned()),
            None => (sentence, String::new()),
        })
        .unzip();
    let mut text = sentences.join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    for hint in hints.iter().filter(|hint| !hint.is_empty()) {
        text.push_str(&format!("\nhint: {hint}"));
    }
    Some(text)
}

fn sentence(error: &ValidationError<'_>, schema: &Value, what: &str) -> String {
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
            let names: Vec<String> = unexpected.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
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
                _ => return clipped(&format!("{place}{error}"), SENTENCE).into_owned(),
            };
            format!("{place}must be {kinds}, not {}", got())
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let variants = context.iter().filter_map(|errors| errors.first());
            let variants: Vec<String> = variants.take(MISTAKES).map(|error| sentence(error, schema, what)).collect();
            let hints: Vec<&str> =
                variants.iter().filter_map(|variant| variant.split_once('\n')).map(|(_, hint)| hint).collect();
            let hint = hints.first().map(|hint| format!("\n{hint}")).unwrap_or_default();
            let sentences: Vec<&str> =
                variants.iter().map(|variant| variant.split('\n').next().unwrap_or_default()).collect();
            format!("{}{hint}", sentences.join(", or "))
        }
        _ => clipped(&format!("{place}{error}"), SENTENCE).into_owned(),
    }
}

fn one_of(place: &str, options: &[Value], error: &ValidationError<'_>) -> String {
    let mut listed: Vec<String> = options.iter().take(LISTED).map(quoted).collect();
    if options.len() > LISTED {
        listed.push(format!("… ({} more)", options.len() - LISTED));
    }
    let meant = error.instance().as_str().and_then(|text| {
        let texts: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
        nearest(text, texts.into_iter(), 1).first().map(|text| format!("\nhint: did you mean \"{text}\"?"))
    });
    let got = quoted(error.instance());
    format!("{place}must be one of {}, not {got}{}", listed.join(", "), meant.unwrap_or_default())
}

/// `argument `tags.1` `, or nothing for the whole.
fn place(error: &ValidationError<'_>, what: &str) -> String {
    match error.instance_path().to_string() {
        path if path.is_empty() => format!("the {what} "),
        path => format!("{what} `{}` ", dotted(&path)),
    }
}

fn dotted(path: &str) -> String {
    clipped(&path.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~"), QUOTED).into_owned()
}

fn quoted(value: &Value) -> String {
    clipped(&value.to_string(), QUOTED).into_owned()
}

/// The keyword that was not met, if it is in this document.
fn schema_at<'a>(error: &ValidationError<'_>, schema: &'a Value) -> Option<&'a Value> {
    schema.pointer(&error.schema_path().to_string())
}

/// The names that the object may have.
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

    fn told(schema: &Value, value: &Value) -> String {
        let validator = jsonschema::validator_for(schema).unwrap();
        mistakes(&validator, schema, value, "argument").unwrap_or_default()
    }

    #[test]
    fn mistakes_name_the_field_and_what_would_fit() {
        let schema = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string", "minLength": 1},
                "state": {"enum": ["open", "closed", null]},
                "count": {"type": ["integer", "null"], "maximum": 10},
                "size": {"anyOf": [{"enum": ["small", "large"]}, {"type": "integer"}]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "deep": {"$ref": "#/$defs/Deep"},
            },
            "required": ["title"],
            "additionalProperties": false,
            "$defs": {"Deep": {"type": "object", "properties": {"a/b": {"const": 1}}, "required": ["a/b"]}},
        });
        let cases = [
            json!({}),
            json!({"title": 5}),
            json!({"title": "x", "state": "opened"}),
            json!({"title": "x", "count": "many"}),
            json!({"title": "x", "count": 11}),
            json!({"title": "x", "size": "largr"}),
            json!({"title": "x", "tags": ["a", 2, "b", {"c": "x".repeat(1000)}]}),
            json!({"titel": "x"}),
            json!({"title": "x", "deep": {"a/b": 2}}),
            json!({"title": "x", "deep": {}}),
        ];
        let texts: Vec<String> = cases.iter().map(|case| told(&schema, case)).collect();
        insta::assert_snapshot!(texts.join("\n\n"));
        assert_eq!(told(&schema, &json!({"title": "x"})), "");
    }
}
