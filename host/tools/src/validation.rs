//! Validates values against schemas in bounded time for any value and any schema.

use jsonschema::{PatternOptions, ValidationError};
use serde_json::Value;

use super::{
    counted::{Counted, Look, Seen, Traits, is_unseen},
    sentences::{MISTAKES, sentence},
};
use isolette_work::{Over, Work};

/// The validator of values against a schema.
#[derive(Debug)]
pub(super) struct Validator {
    compiled: jsonschema::Validator<Counted>,
    traits: Traits,
}

/// Maximum number of reads of parts of a value in one validation: some dozens for each value that the memory for values
/// allows.
const STEPS: u64 = 20_000_000;
/// Maximum size of a compiled regular expression in bytes.
const PATTERN_BYTES: usize = 1 << 20;

/// Creates a validator for a schema. Regular expressions are matched in linear time, so a schema with look-around or
/// backreferences is rejected.
pub(super) fn validator(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    let patterns = PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    let compiled = jsonschema::options_for::<Counted>().with_pattern_options(patterns).build(schema)?;
    Ok(Validator { compiled, traits: Traits::of(schema) })
}

/// Whether `pattern` is a regular expression that can be matched in time that is linear in the length of the text.
pub fn is_linear(pattern: &str) -> bool {
    validator(&serde_json::json!({ "pattern": pattern })).is_ok()
}

/// Returns what is wrong with a value, or `None`. `what` says what the value is a part of: `argument` or `result`.
pub(super) fn mistakes(validator: &Validator, schema: &Value, value: &Value, what: &str) -> Option<String> {
    mistakes_within(STEPS, validator, schema, value, what)
}

fn mistakes_within(steps: u64, validator: &Validator, schema: &Value, value: &Value, what: &str) -> Option<String> {
    let look = Look::whether(Work::new(steps), validator.traits);
    let valid = validator.compiled.is_valid(Seen::new(value, &look));
    if let Some((members, elements)) = look.is_too_large() {
        return Some(format!(
            "the {what}s were not compared with the schema: with `unevaluatedProperties` or `unevaluatedItems`, an object can have \
             {members} members, and a list {elements} elements\n\
             hint: pass fewer of them, or in several lists"
        ));
    }
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
    let look = Look::which(Work::new(steps), validator.traits);
    let mut distinct: Vec<String> = Vec::new();
    let mut more = 0_usize;
    for error in validator.compiled.iter_errors(Seen::new(value, &look)) {
        if is_unseen(error.instance()) {
            continue;
        }
        let sentence = sentence(&error, schema, what);
        if distinct.contains(&sentence) {
            continue;
        }
        if distinct.len() < MISTAKES { distinct.push(sentence) } else { more += 1 }
    }
    if distinct.is_empty() {
        return Some(format!("the {what}s do not fit the schema\nhint: compare them with the schema of the tool"));
    }
    // Hints are on lines of their own, at the end.
    let (sentences, hints): (Vec<String>, Vec<String>) = distinct
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn described(schema: &Value, value: &Value) -> String {
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
        let texts: Vec<String> = cases.iter().map(|case| described(&schema, case)).collect();
        insta::assert_snapshot!(texts.join("\n\n"));
        assert_eq!(described(&schema, &json!({"title": "x"})), "");
    }

    /// A schema with a union, and a value that violates each member of the union at every position.
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
    fn mistakes_in_unions_are_bounded_by_the_schema() {
        let made = |branches, length| {
            let (schema, value) = union_and_value(branches, length);
            let validator = validator(&schema).unwrap();
            let look = Look::which(Work::new(STEPS), validator.traits);
            let errors = validator.compiled.iter_errors(Seen::new(&value, &look)).count();
            assert_eq!(errors, 1);
            let text = mistakes(&validator, &schema, &value, "argument").unwrap();
            assert!(text.len() < 2_000, "{text}");
            (look.made(), look.work().used(), text)
        };
        let (few, few_steps, _) = made(8, 100);
        let (many, many_steps, text) = made(8, 40_000);
        assert!(few == many && few <= 8 * 8 + 1, "{few} and {many} mistakes");
        assert!(few_steps == many_steps && few_steps < 2_000, "{few_steps} and {many_steps} steps");
        assert!(text.starts_with("argument `list.0"), "{text}");
        assert!(made(1_000, 100).0 <= 257);
    }

    #[test]
    fn a_mistake_is_found_wherever_it_is() {
        let schema = json!({"properties": {"list": {"items": {"type": "integer"}}}});
        let mut list = vec![json!(1); 100_000];
        list[99_999] = json!("x");
        assert_eq!(described(&schema, &json!({"list": list})), "argument `list.99999` must be integer, not \"x\"");
        let all = vec![json!("x"); 100_000];
        let text = described(&schema, &json!({"list": all}));
        assert!(text.ends_with("; and more"), "{text}");
    }

    #[test]
    fn values_that_would_be_tried_without_end_are_not_checked() {
        // Each level is tried in two ways, and each of these again in two ways at the next level.
        let schema = json!({
            "$ref": "#/$defs/tree",
            "$defs": {"tree": {"anyOf": [
                {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "required": ["next", "left"]},
                {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "required": ["next", "right"]},
            ]}},
        });
        let deep = (0..100).fold(json!({}), |value, _| json!({"next": value}));
        for steps in [100, 10_000] {
            // A mistake is reported whether or not the validation completes within the steps.
            assert!(mistakes_within(steps, &validator(&schema).unwrap(), &schema, &deep, "argument").is_some());
        }
        let schema = json!({"items": {"type": "integer"}});
        let long = json!(vec![1; 1_000]);
        let text = mistakes_within(100, &validator(&schema).unwrap(), &schema, &long, "argument").unwrap();
        assert!(text.contains("more than 100 steps\nhint: "), "{text}");
        assert_eq!(mistakes(&validator(&schema).unwrap(), &schema, &long, "argument"), None);
    }

    #[test]
    fn values_with_more_parts_than_can_be_kept_are_not_compared() {
        let closed = json!({"properties": {"a": {}}, "required": ["a"], "unevaluatedProperties": false});
        let schema = json!({"anyOf": [closed, {"type": "string"}]});
        let members = |count: usize| Value::Object((0..count).map(|number| (number.to_string(), json!(1))).collect());
        let text = described(&schema, &members(10_001));
        assert!(text.contains("an object can have 10000 members, and a list 100000 elements\nhint: "), "{text}");
        assert!(described(&schema, &members(10_000)).contains("argument `a` is required"), "{text}");
        let text = described(&json!({"unevaluatedItems": false}), &json!(vec![1; 100_001]));
        assert!(text.contains("100000 elements"), "{text}");
        let text = described(&json!({"required": ["a"]}), &members(20_000));
        assert_eq!(text, "argument `a` is required and missing");
    }

    #[test]
    fn long_values_are_not_written_out_to_be_quoted() {
        let long = json!({"a": vec![1; 1_000_000]});
        let text = described(&json!({"maxProperties": 0}), &long);
        assert!(text.len() < 500 && text.contains('…'), "{text}");
        let schema = json!({"properties": {"known": {}}, "additionalProperties": false});
        let text = described(&schema, &json!({"é".repeat(1_000): 1}));
        assert!(text.len() < 500 && text.contains('…'), "{text}");
    }

    #[test]
    fn expressions_that_need_backtracking_make_no_schema() {
        for pattern in ["(?=a)b", "(a)\\1", "(?<!x)y", "(.{1000}){1000}"] {
            assert!(validator(&json!({"pattern": pattern})).is_err(), "{pattern}");
        }
        assert!(validator(&json!({"pattern": "^(a+)+$"})).is_ok());
    }
}
