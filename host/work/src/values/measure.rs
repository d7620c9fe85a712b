//! Estimates the memory that the values of a text use once it is parsed, without parsing it.

/// Bytes for a value in a list or object. Twice its size, since lists grow by doubling.
const VALUE: u64 = 2 * size_of::<serde_json::Value>() as u64;
/// Bytes for an object without its members, and for a member without its value: key, hash and slot.
const OBJECT: u64 = 160;
const MEMBER: u64 = 80;

/// Returns an approximate upper bound of the bytes that the values of a JSON text use. For text that is not JSON the
/// result has no meaning.
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

/// Returns the maximum number of nodes that a YAML text can have, member names included and aliases not expanded, and
/// the maximum number of bytes that its values use.
pub fn nodes(yaml: &str) -> (usize, u64) {
    // Each node begins after one of these characters, or at the beginning of the text.
    let begins = |byte: &&u8| matches!(byte, b'\n' | b':' | b',' | b'-' | b'?' | b'[' | b'{');
    let begun = yaml.as_bytes().iter().filter(begins).count() + 1;
    // A colon ends a name and begins a value, and the first colon also begins the mapping that contains both.
    (3 * begun, begun as u64 * (VALUE + MEMBER) + OBJECT + yaml.len() as u64)
}

/// Returns the bytes that the values of this many YAML nodes use.
pub fn node_bytes(nodes: usize) -> u64 {
    (nodes as u64).saturating_mul(VALUE + MEMBER)
}

/// Returns the position after the end of the string that begins at `place`.
pub(super) fn end_of_text(json: &[u8], mut place: usize) -> usize {
    while let Some(found) = json.get(place..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        place += found + 1;
        if json[place - 1] == b'"' {
            return place;
        }
        // An escaped character does not end the string.
        place += 1;
    }
    json.len()
}

/// Panics if the values of a text use more memory than was measured, or if the measure is far too high. For tests.
pub fn assert_measured(json: &[u8]) {
    let (length, measured) = (json.len() as u64, value_bytes(json));
    assert!(measured >= length && measured <= 1_000 * (length + 1), "{measured} bytes were measured for {length}");
    if let Ok(value) = serde_json::from_slice(json) {
        assert!(measured >= least(&value), "{measured} bytes were measured for {}", least(&value));
    }
}

/// Returns a lower bound of the bytes that a value uses.
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
    fn many_small_values_differ_from_few_long_ones() {
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
