//! Keeps what the host holds out of what programs and models read.

mod stream;

use std::fmt;

use memchr::memmem;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

pub use self::stream::RedactedStream;
use crate::Secret;

/// What stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Characters of the shortest secret that is looked for: shorter ones are in any text by chance.
const SHORTEST: usize = 4;

/// Everything but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Secrets that no text may show.
///
/// Each is looked for as it is, as it stands in JSON and as it stands in a URL, and without the scheme that may stand
/// before it: of `Bearer abcd`, `abcd` is a secret too. Secrets of fewer than four characters are not looked for, and no
/// other writing is: a program that has got hold of a secret can write it backwards.
///
/// ```
/// let redaction = isolette::Redaction::new(["Bearer hunter2"]);
/// assert_eq!(redaction.text("it is hunter2"), "it is [redacted]");
/// ```
#[derive(Clone, Default)]
pub struct Redaction {
    forms: Vec<Secret>,
}

impl fmt::Debug for Redaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Redaction(…)")
    }
}

impl Redaction {
    /// Of some secrets.
    #[must_use]
    pub fn new<S: Into<Secret>>(secrets: impl IntoIterator<Item = S>) -> Self {
        let mut redaction = Self::default();
        redaction.extend(secrets);
        redaction
    }

    /// Adds secrets.
    pub fn extend<S: Into<Secret>>(&mut self, secrets: impl IntoIterator<Item = S>) {
        for secret in secrets {
            let secret = secret.into();
            let token = secret.expose().split_once(' ').map(|(_, token)| token);
            for part in [Some(secret.expose()), token].into_iter().flatten() {
                if part.chars().count() >= SHORTEST {
                    let quoted = Value::from(part).to_string();
                    self.add(part);
                    self.add(&quoted[1..quoted.len() - 1]);
                    self.add(&utf8_percent_encode(part, ENCODED).to_string());
                }
            }
        }
    }

    /// Adds what another one looks for.
    pub fn add_all(&mut self, other: &Self) {
        other.forms.iter().for_each(|form| self.add(form.expose()));
    }

    fn add(&mut self, form: &str) {
        if !self.forms.iter().any(|known| known.expose() == form) {
            self.forms.push(form.into());
        }
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The text without them. Where secrets overlap, nothing is left of either.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut redacted = String::with_capacity(text.len());
        let mut end = 0;
        for (from, to) in self.places(text.as_bytes()) {
            redacted.push_str(&text[end..from]);
            redacted.push_str(REDACTED);
            end = to;
        }
        redacted.push_str(&text[end..]);
        redacted
    }

    /// The same for bytes, text or not.
    pub(crate) fn bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        let places = self.places(&bytes);
        if places.is_empty() {
            return bytes;
        }
        let mut redacted = Vec::with_capacity(bytes.len());
        let mut end = 0;
        for (from, to) in places {
            redacted.extend_from_slice(&bytes[end..from]);
            redacted.extend_from_slice(REDACTED.as_bytes());
            end = to;
        }
        redacted.extend_from_slice(&bytes[end..]);
        redacted
    }

    /// Takes away an end that may be the beginning of a secret, from bytes that were cut somewhere.
    pub(crate) fn cut_beginning(&self, bytes: &mut Vec<u8>) {
        let longest = self.forms.iter().map(|form| form.expose().len()).max().unwrap_or_default();
        let first = bytes.len().saturating_sub(longest);
        let begins = |at: &usize| self.forms.iter().any(|form| form.expose().as_bytes().starts_with(&bytes[*at..]));
        if let Some(at) = (first..bytes.len()).find(begins) {
            bytes.truncate(at);
        }
    }

    /// The same value, with every text in it looked through, names of fields too.
    #[must_use]
    pub fn value(&self, value: Value) -> Value {
        if self.is_empty() {
            return value;
        }
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (self.text(&name), self.value(value))).collect()
            }
            other => other,
        }
    }

    /// For a text that comes in parts, any of which may end in the middle of a secret.
    #[must_use]
    pub fn stream(&self) -> RedactedStream {
        RedactedStream::new(self.clone())
    }

    /// Where the secrets are, one after the other and apart.
    fn places(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let of = |form: &Secret| {
            let form = form.expose().as_bytes();
            memmem::find_iter(bytes, form).map(|from| (from, from + form.len())).collect::<Vec<_>>()
        };
        let mut found: Vec<_> = self.forms.iter().flat_map(of).collect();
        found.sort_unstable();
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (from, to) in found {
            match places.last_mut() {
                Some(last) if from < last.1 => last.1 = last.1.max(to),
                _ => places.push((from, to)),
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_found_in_every_writing() {
        let redaction = Redaction::new(["Bearer a\"b c", "abc"]);
        let text = redaction.text("Bearer a\"b c, {\"key\":\"a\\\"b c\"}, ?key=a%22b%20c, a\"b c, abc");
        assert_eq!(text, "[redacted], {\"key\":\"[redacted]\"}, ?key=[redacted], [redacted], abc");
        assert!(!format!("{redaction:?}").contains('a'.to_string().repeat(2).as_str()));
    }

    #[test]
    fn nothing_is_left_of_secrets_that_overlap() {
        let redaction = Redaction::new(["hunter2", "hunter2-and-more", "more-or-less"]);
        assert_eq!(redaction.text("<hunter2-and-more-or-less>"), "<[redacted]>");
        assert_eq!(redaction.text("hunter2hunter2"), "[redacted][redacted]");
    }

    #[test]
    fn bytes_are_looked_through_and_a_cut_end_is_no_beginning() {
        let redaction = Redaction::new(["hunter2"]);
        assert_eq!(redaction.bytes(b"\xffhunter2\xff".into()), b"\xff[redacted]\xff");
        for (whole, cut) in [("a hunte", "a "), ("a h", "a "), ("hunt hun", "hunt "), ("a hunt ", "a hunt "), ("", "")]
        {
            let mut bytes = whole.as_bytes().to_vec();
            redaction.cut_beginning(&mut bytes);
            assert_eq!(bytes, cut.as_bytes());
        }
    }

    #[test]
    fn values_are_looked_through() {
        let redaction = Redaction::new(["hunter2"]);
        let value = json!({"hunter2": ["hunter2", 1, null, {"a": "x hunter2"}]});
        assert_eq!(redaction.value(value), json!({"[redacted]": ["[redacted]", 1, null, {"a": "x [redacted]"}]}));
    }
}
