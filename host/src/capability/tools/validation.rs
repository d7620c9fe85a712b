//! Values against schemas, in words with which a model can put things right: the field, what was expected, what came,
//! and what was probably meant.

use std::io::{self, Write};

use jsonschema::{PatternOptions, ValidationError, error::ValidationErrorKind};
use serde_json::Value;

use super::counted::{Counted, Look, Seen, is_unseen};
use crate::{
    catalog::nearest,
    declarations::schema::{clipped, list},
    work::{Over, Work},
};

/// What checks values against a schema.
pub(super) type Validator = jsonschema::Validator<Counted>;

/// Mistakes that are told at once: enough to mend a call in one go.
const MISTAKES: usize = 3;
/// Values or names that are listed.
const LISTED: usize = 30;
/// Characters of a value that are quoted.
const QUOTED: usize = 100;
/// Characters of a sentence that the validator made.
const SENTENCE: usize = 300;
/// Values among which that is looked for that was meant.
const MEANT: usize = 1_000;
/// Looks at parts of a value, to find out whether it fits: some dozens for each of the values that there is room for.
const STEPS: u64 = 20_000_000;
/// Bytes that a regular expression may become.
const PATTERN_BYTES: usize = 1 << 20;

/// Checks against this schema. A regular expression takes a time that grows with the text and no faster, so those that look
/// ahead or back, or repeat what was found, make it none.
pub(super) fn validator(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    let patterns = PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    jsonschema::options_for::<Counted>().with_pattern_options(patterns).build(schema)
}

/// Whether this is a regular expression that can be checked in a time that grows with the text and no faster.
#[cfg(feature = "openapi")]
pub(crate) fn is_linear(pattern: &str) -> bool {
    validator(&serde_json::json!({ "pattern": pattern })).is_ok()
}

/// What is wrong with a value. `what` says what it is a part of: `argument`, `result`.
pub(super) fn mistakes(validator: &Validator, schema: &Value, value: &Value, what: &str) -> Option<String> {
    mistakes_within(STEPS, validator, schema, value, what)
}

fn mistakes_within(steps: u64, validator: &Validator, schema: &Value, value: &Value, what: &str) -> Option<String> {
    let look = Look::whether(Work::new(steps));
    let valid = validator.is_valid(Seen::new(value, &look));
    match look.work().over() {
        None if valid => return None,
        None => {}
        Some(Over::Steps) => {
            return Some(format!(
                "the {what}s were not compared with the schema, which would take more than {steps} steps\n\
                 hint: use fewer values, or less deeply nested ones"
            ));
        }
        Some(Over::Time) => return Some(format!("the {what}s were not compared with the schema: the time was over")),
    }
    let look = Look::which(Work::new(steps));
    let mut told: Vec<String> = Vec::new();
    let mut more = 0_usize;
    for error in validator.iter_errors(Seen::new(value, &look)) {
        if is_unseen(error.instance()) {
            continue;
        }
        let sentence = sentence(&error, schema, what);
        if told.contains(&sentence) {
            continue;
        }
        if told.len() < MISTAKES { told.push(sentence) } else { more += 1 }
    }
    if told.is_empty() {
        return Some(format!("the {what}s do not fit the schema"));
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
    match (more, look.is_cut()) {
        (0, false) => {}
        (_, true) => text.push_str("; and more"),
        (more, false) => text.push_str(&format!("; and {more} more")),
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

/// As the validator has it, but for the value, of which it shows all.
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

/// The beginning of a value. The rest is not even written.
fn quoted(value: &Value) -> String {
    let mut beginning = Beginning(Vec::new());
    // It fails where it is full.
    let _ = serde_json::to_writer(&mut beginning, value);
    clipped(&String::from_utf8_lossy(&beginning.0), QUOTED).into_owned()
}

struct Beginning(Vec<u8>);

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character takes four bytes at most, and one more tells that there is more.
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
        mistakes(&validator(schema).unwrap(), schema, value, "argument").unwrap_or_default()
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

    /// An argument for each member of a union, each of whose members is wrong in every place.
    fn union_and_value(branches: usize, length: usize) -> (Value, Value) {
        let branch = |number: usize| {
            let record = json!({
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"const": number}},
                "required": ["a", "b", "c"],
                "additionalProperties": false,
            });
            json!({"type": "array", "items": record})
        };
        let branches: Vec<Value> = (0..branches).map(branch).collect();
        let schema = json!({"type": "object", "properties": {"list": {"oneOf": branches}}});
        (schema, json!({"list": vec![json!({"a": "x", "d": "y"}); length]}))
    }

    #[test]
    fn what_is_told_of_unions_is_bounded_by_the_schema() {
        let made = |branches, length| {
            let (schema, value) = union_and_value(branches, length);
            let validator = validator(&schema).unwrap();
            let look = Look::which(Work::new(STEPS));
            let errors = validator.iter_errors(Seen::new(&value, &look)).count();
            assert_eq!(errors, 1);
            let told = mistakes(&validator, &schema, &value, "argument").unwrap();
            assert!(told.len() < 2_000, "{told}");
            (look.made(), look.work().used(), told)
        };
        let (few, few_steps, _) = made(8, 100);
        let (many, many_steps, told) = made(8, 40_000);
        assert!(few == many && few <= 8 * 8 + 1, "{few} and {many} mistakes");
        assert!(few_steps == many_steps && few_steps < 2_000, "{few_steps} and {many_steps} steps");
        assert!(told.starts_with("argument `list.0"), "{told}");
        assert!(made(1_000, 100).0 <= 257);
    }

    #[test]
    fn a_mistake_is_found_wherever_it_is() {
        let schema = json!({"properties": {"list": {"items": {"type": "integer"}}}});
        let mut list = vec![json!(1); 100_000];
        list[99_999] = json!("x");
        assert_eq!(told(&schema, &json!({"list": list})), "argument `list.99999` must be integer, not \"x\"");
        let all = vec![json!("x"); 100_000];
        let text = told(&schema, &json!({"list": all}));
        assert!(text.ends_with("; and more"), "{text}");
    }

    #[test]
    fn values_that_would_be_tried_without_end_are_not_checked() {
        // Each level is tried in two ways, and each of these in two again.
        let schema = json!({
            "$ref": "#/$defs/tree",
            "$defs": {"tree": {"anyOf": [
                {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "required": ["next", "left"]},
                {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "required": ["next", "right"]},
            ]}},
        });
        let deep = (0..100).fold(json!({}), |value, _| json!({"next": value}));
        for steps in [100, 10_000] {
            // Whether it comes to an end within them or not, it is told.
            assert!(mistakes_within(steps, &validator(&schema).unwrap(), &schema, &deep, "argument").is_some());
        }
        let schema = json!({"items": {"type": "integer"}});
        let long = json!(vec![1; 1_000]);
        let text = mistakes_within(100, &validator(&schema).unwrap(), &schema, &long, "argument").unwrap();
        assert!(text.contains("more than 100 steps\nhint: "), "{text}");
        assert_eq!(mistakes(&validator(&schema).unwrap(), &schema, &long, "argument"), None);
    }

    #[test]
    fn long_values_are_not_written_out_to_be_quoted() {
        let long = json!({"a": vec![1; 1_000_000]});
        let text = told(&json!({"maxProperties": 0}), &long);
        assert!(text.len() < 500 && text.contains('…'), "{text}");
        assert_eq!(quoted(&json!("é".repeat(1_000))).chars().count(), QUOTED + 1);
    }

    #[test]
    fn expressions_that_need_backtracking_make_no_schema() {
        for pattern in ["(?=a)b", "(a)\\1", "(?<!x)y", "(.{1000}){1000}"] {
            assert!(validator(&json!({"pattern": pattern})).is_err(), "{pattern}");
        }
        assert!(validator(&json!({"pattern": "^(a+)+$"})).is_ok());
    }
}
