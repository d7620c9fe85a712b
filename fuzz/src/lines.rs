//! A naive reader of lines for `isolette proxy`: which of them have a reply, and the identifier of each.

use std::collections::BTreeMap;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// Asserts that each line has one reply with its identifier, and that nothing else was written.
///
/// # Panics
/// If it is not so.
pub fn assert_replies(input: &[u8], limit: usize, replies: &[Value]) {
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    let (mut lines, mut is_destroyed) = (0, false);
    for line in input.split(|byte| *byte == b'\n') {
        let text = std::str::from_utf8(line).ok().filter(|_| line.len() <= limit);
        if line.is_empty() || text.is_some_and(|text| text.trim().is_empty()) {
            continue;
        }
        let fields = text.and_then(|text| serde_json::from_str::<Fields>(text).ok()).unwrap_or_default();
        *expected.entry(fields.id()).or_default() += 1;
        lines += 1;
        // A line that would destroy the sandbox may be invalid for another reason. Then it is not the last one.
        if fields.only("op").is_some_and(|op| op == "destroy") && replies.len() == lines {
            is_destroyed = replies.last().is_some_and(|reply| reply["op"] == "destroy");
            break;
        }
    }
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for reply in replies {
        assert!(reply["op"].is_string(), "{reply}");
        *found.entry(reply.get("id").map(Value::to_string).unwrap_or_default()).or_default() += 1;
        assert!(reply["op"] != "destroy" || is_destroyed, "{reply}");
    }
    assert_eq!(found, expected, "{}", input.escape_ascii());
}

/// The keys and values of an object, in their order.
#[derive(Default)]
struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// The value of a key that there is once.
    fn only(&self, name: &str) -> Option<Value> {
        let mut found = self.0.iter().filter(|(key, _)| key == name);
        let (_, value) = found.next()?;
        found.next().is_none().then(|| serde_json::from_str(value.get()).ok())?
    }

    /// The identifier, if it is a text or a number, as JSON. Else nothing.
    fn id(&self) -> String {
        let id = self.only("id").filter(|id| id.is_string() || id.is_number());
        id.map(|id| id.to_string()).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
