//! What a text takes in the host once it is values, counted without making them.

/// A value, wherever it lies. Lists grow by doubling.
const VALUE: u64 = 2 * size_of::<serde_json::Value>() as u64;
/// An object beyond its members, and a member beyond its value: key, hash and place.
const OBJECT: u64 = 160;
const MEMBER: u64 = 80;

/// Bytes that the values of a JSON text take at most, give or take a little. Of a text that is no JSON it says nothing.
#[must_use]
pub fn value_bytes(json: &[u8]) -> u64 {
    let mut bytes = json.len() as u64 + VALUE;
    let mut place = 0;
    while let Some(byte) = json.get(place) {
        place += 1;
        bytes += match byte {
            b'"' => {
                place = end_of_text(json, place);
                0
            }
            b'[' | b',' => VALUE,
            b'{' => OBJECT + VALUE,
            b':' => MEMBER,
            _ => 0,
        };
    }
    bytes
}

/// How many nodes a YAML text can have at most, names of members included and as far as aliases stand for nothing, and how
/// many bytes its values take at most.
pub fn nodes(yaml: &str) -> (usize, u64) {
    // Each is begun by one of these, or by the beginning of the text.
    let begins = |byte: &&u8| matches!(byte, b'\n' | b':' | b',' | b'-' | b'?' | b'[' | b'{');
    let begun = yaml.as_bytes().iter().filter(begins).count() + 1;
    // A colon ends a name and begins a value, and the first one begins what both are in.
    (3 * begun, begun as u64 * (VALUE + MEMBER) + OBJECT + yaml.len() as u64)
}

/// Bytes that the values take that so many nodes of YAML are.
pub fn node_bytes(nodes: usize) -> u64 {
    (nodes as u64).saturating_mul(VALUE + MEMBER)
}

/// Where a text that begins at `place` is over.
fn end_of_text(json: &[u8], mut place: usize) -> usize {
    while let Some(found) = json.get(place..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        place += found + 1;
        if json[place - 1] == b'"' {
            return place;
        }
        // What is escaped ends nothing.
        place += 1;
    }
    json.len()
}

/// Panics if the values of a text take more memory than is measured, or the measure is out of all proportion.
pub fn assert_measured(json: &[u8]) {
    let (length, measured) = (json.len() as u64, value_bytes(json));
    assert!(measured >= length && measured <= 1_000 * (length + 1), "{measured} bytes were measured for {length}");
    if let Ok(value) = serde_json::from_slice(json) {
        assert!(measured >= least(&value), "{measured} bytes were measured for {}", least(&value));
    }
}

/// What a value takes at the least.
fn least(value: &serde_json::Value) -> u64 {
    use serde_json::Value;

    let inside = match value {
        Value::Array(values) => values.iter().map(least).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() as u64 + 32 + least(value)).sum(),
        Value::String(text) => text.len() as u64,
        _ => 0,
    };
    size_of::<Value>() as u64 + inside
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn many_small_values_are_told_from_few_long_ones() {
        let long = json!({ "text": "x,[{:\\\"".repeat(1000) }).to_string();
        assert!(value_bytes(long.as_bytes()) < 2 * long.len() as u64 + 1000);
        let many = json!({ "list": vec![0; 1000] }).to_string();
        assert!(value_bytes(many.as_bytes()) > 30 * many.len() as u64);
        for text in ["\"", "\"\\", "", "\\\"[", "]}:,"] {
            assert_measured(text.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn nothing_takes_more_than_was_measured(value in values()) {
            assert_measured(value.to_string().as_bytes());
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf =
            prop_oneof![Just(Value::Null), any::<i64>().prop_map(Value::from), any::<String>().prop_map(Value::from),];
        leaf.prop_recursive(6, 200, 10, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..10).prop_map(Value::from),
                prop::collection::hash_map(any::<String>(), inner, 0..10)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }
}
