//! Redacts the host's secrets in what programs and models read.

mod automaton;
mod find;
mod spelling;
mod stream;

use std::{fmt, sync::Arc};

use serde_json::Value;

use self::automaton::Automaton;
pub use self::stream::RedactedStream;
use isolette_types::Secret;
use isolette_work::Work;

/// The replacement for a secret.
pub const REDACTED: &str = "[redacted]";

/// Minimum length of a secret in characters: shorter ones occur in many texts by chance.
const SHORTEST: usize = 4;

/// Replaces secrets in texts by [`REDACTED`].
///
/// Each secret is found as it is, as in JSON and as in a URL, and without the scheme that may precede it: for `Bearer
/// abcd`, `abcd` is a secret too. Each character may be encoded in a different way: `a/b` is also `a\/b`, `a\u002fb`,
/// `a%2Fb` and `%61/b`. Secrets of fewer than four characters are not searched for, and no other encoding is found: a
/// program that has obtained a secret can write it backwards. The search takes time linear in the length of the text.
/// If the run that it is done for must end meanwhile, the whole text is redacted.
///
/// ```
/// let redaction = isolette::Redaction::new(["Bearer hunter2"]);
/// assert_eq!(redaction.text("it is hunter2"), "it is [redacted]");
/// ```
#[derive(Clone, Default)]
pub struct Redaction {
    secrets: Vec<Sought>,
}

/// A secret, and its automaton, which is built once.
#[derive(Clone)]
struct Sought {
    secret: Secret,
    automaton: Arc<Automaton>,
}

impl fmt::Debug for Redaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Redaction(…)")
    }
}

impl Redaction {
    /// Creates a redaction of these secrets.
    #[must_use]
    pub fn new<S: Into<Secret>>(secrets: impl IntoIterator<Item = S>) -> Self {
        let mut redaction = Self::default();
        redaction.extend(secrets);
        redaction
    }

    /// Adds secrets. Those of fewer than four characters are ignored.
    pub fn extend<S: Into<Secret>>(&mut self, secrets: impl IntoIterator<Item = S>) {
        for secret in secrets {
            let secret = secret.into();
            let token = secret.expose().split_once(' ').map(|(_, token)| token);
            for part in [Some(secret.expose()), token].into_iter().flatten() {
                if part.chars().count() >= SHORTEST {
                    self.add(part);
                }
            }
        }
    }

    /// Adds the secrets of another redaction.
    pub fn add_all(&mut self, other: &Self) {
        for sought in &other.secrets {
            if !self.knows(sought.secret.expose()) {
                self.secrets.push(sought.clone());
            }
        }
    }

    fn add(&mut self, secret: &str) {
        if let Some(automaton) = (!self.knows(secret)).then(|| Automaton::new(secret)).flatten() {
            self.secrets.push(Sought { secret: secret.into(), automaton: Arc::new(automaton) });
        }
    }

    fn knows(&self, secret: &str) -> bool {
        self.secrets.iter().any(|known| known.secret.expose() == secret)
    }

    /// Returns whether there are no secrets to search for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Returns the text with its secrets replaced. Overlapping secrets are replaced as a whole.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.text_within(text, &Work::new(u64::MAX))
    }

    fn text_within(&self, text: &str, work: &Work) -> String {
        let places = self.places(text.as_bytes(), work);
        if places.is_empty() {
            return text.to_owned();
        }
        let redacted = without(text.as_bytes(), places);
        // Secrets begin and end at character boundaries, so the result is always valid UTF-8.
        String::from_utf8(redacted).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Like [`Redaction::text`], for a text in which `…` may stand for the end of a secret.
    pub fn shortened(&self, text: &str) -> String {
        const CUT: char = '…';
        let text = self.text(text);
        if self.is_empty() || !text.contains(CUT) {
            return text;
        }
        let mut pieces = text.split(CUT).map(ToOwned::to_owned).collect::<Vec<_>>();
        let last = pieces.pop();
        for piece in &mut pieces {
            if let Some(at) = self.beginning(piece.as_bytes())
                && piece.is_char_boundary(at)
            {
                piece.truncate(at);
            }
        }
        pieces.extend(last);
        pieces.join(CUT.encode_utf8(&mut [0; 4]))
    }

    /// Like [`Redaction::text`], for bytes, which need not be text.
    pub fn bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        let places = self.places(&bytes, &Work::new(u64::MAX));
        if places.is_empty() {
            return bytes;
        }
        without(&bytes, places)
    }

    /// Removes from the end of truncated bytes what may be the beginning of a secret.
    pub fn cut_beginning(&self, bytes: &mut Vec<u8>) {
        if let Some(at) = self.beginning(bytes) {
            bytes.truncate(at);
        }
    }

    /// Returns the first position at which a secret may begin that does not end before `bytes` do.
    fn beginning(&self, bytes: &[u8]) -> Option<usize> {
        let work = Work::new(u64::MAX);
        self.secrets.iter().filter_map(|sought| sought.automaton.beginning(bytes, &work)).min()
    }

    /// Returns the value with secrets replaced in all of its texts, names of fields included.
    #[must_use]
    pub fn value(&self, value: Value) -> Value {
        if self.is_empty() {
            return value;
        }
        self.value_within(value, &Work::new(u64::MAX))
    }

    fn value_within(&self, value: Value, work: &Work) -> Value {
        // Otherwise every text in it would be replaced by this one.
        if work.over().is_some() {
            return Value::String(REDACTED.into());
        }
        let redacted = |value| self.value_within(value, work);
        match value {
            Value::String(text) => Value::String(self.text_within(&text, work)),
            Value::Array(values) => values.into_iter().map(redacted).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (self.text_within(&name, work), redacted(value))).collect()
            }
            other => other,
        }
    }

    /// Returns a redaction for a text that arrives in parts, any of which may end in the middle of a secret.
    #[must_use]
    pub fn stream(&self) -> RedactedStream {
        RedactedStream::new(self.clone())
    }

    /// Returns the byte ranges of the secrets, in order and disjoint. If the run must end before the search does,
    /// returns the range of all bytes.
    fn places(&self, bytes: &[u8], work: &Work) -> Vec<(usize, usize)> {
        if self.is_empty() || bytes.is_empty() {
            return Vec::new();
        }
        let find = |sought: &Sought| find::find(bytes, sought.secret.expose(), &sought.automaton, work);
        let found: Option<Vec<_>> = match work.over() {
            None => self.secrets.iter().map(find).collect(),
            Some(_) => None,
        };
        let Some(found) = found else { return vec![(0, bytes.len())] };
        let mut found = found.concat();
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

fn without(bytes: &[u8], places: Vec<(usize, usize)>) -> Vec<u8> {
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
    fn every_spelling_of_a_secret_is_found() {
        let redaction = Redaction::new(["hunter2+/a=b"]);
        for text in [
            r"hunter2+\/a=b",
            r"hunter2\u002B/a\u003db",
            r"hunter2\u002b\/a=b",
            "hunter2%2b%2fa%3Db",
            "hunter2%2B/a=b",
            "h%75nter2+/a%3db",
        ] {
            assert_eq!(redaction.text(&format!("<{text}>")), "<[redacted]>", "{text}");
        }
        assert_eq!(redaction.text("hunter2%2c, hunter2"), "hunter2%2c, hunter2");
    }

    #[test]
    fn what_is_cut_does_not_show_a_beginning() {
        let redaction = Redaction::new(["hunter2/hunter2"]);
        let text = redaction.shortened("`/a/hunter2%2Fhun…` is not `/hunter2/hunter2…` and not `hunter1…` or hunter2");
        assert_eq!(text, "`/a/…` is not `/[redacted]…` and not `hunter1…` or hunter2");
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
    fn one_run_that_is_over_ends_the_work_for_a_whole_value() {
        let redaction = Redaction::new(["hunter2"]);
        let work = Work::new(64);
        let value = redaction.value_within(json!(["1", "%".repeat(1000), {"name": "3"}, 4]), &work);
        assert_eq!(value, json!(["1", REDACTED, REDACTED, REDACTED]));
        let used = work.used();
        assert_eq!(redaction.value_within(json!(["%".repeat(1000)]), &work), json!(REDACTED));
        assert_eq!(redaction.text_within(&"%".repeat(1000), &work), REDACTED);
        assert_eq!(work.used(), used, "no more work was done");
    }

    #[test]
    fn what_looks_for_a_secret_is_built_once() {
        let redaction = Redaction::new(["hunter2"]);
        let mut other = Redaction::default();
        other.add_all(&redaction);
        other.add_all(&redaction.clone());
        assert_eq!(other.secrets.len(), 1);
        assert!(Arc::ptr_eq(&redaction.secrets[0].automaton, &other.secrets[0].automaton));
    }

    #[test]
    fn without_secrets_nothing_is_looked_through() {
        let work = Work::new(0);
        let redaction = Redaction::new(["", "abc"]);
        assert_eq!(redaction.text_within("%%%%", &work), "%%%%");
        assert_eq!((redaction.text(""), work.used()), (String::new(), 0));
    }

    #[test]
    fn values_are_looked_through() {
        let redaction = Redaction::new(["hunter2"]);
        let value = json!({"hunter2": ["hunter2", 1, null, {"a": "x hunter2"}]});
        assert_eq!(redaction.value(value), json!({"[redacted]": ["[redacted]", 1, null, {"a": "x [redacted]"}]}));
    }
}
