//! Measures messages of the protocol before they are parsed.
//!
//! The SDK parses a message as a whole and holds two copies while it determines the type: a few megabytes of `[1,1,…]`
//! would become gigabytes. The transports therefore measure each message, and do not parse one for which there is no
//! memory.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};

use http::request::Parts;
use isolette::values::{
    LostDigits, NoMemory, Reservation, ValueMemory, WAIT, check_numbers, check_numbers_at, lost_digits_as_text,
    value_bytes,
};
use rmcp::model::Extensions;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Number of copies of the values that exist while the SDK parses a message.
const COPIES: u64 = 2;

/// Maximum length, in bytes, of a request id that is repeated in an answer.
const ID: usize = 1_000;

/// Why a message was not parsed.
#[derive(Debug)]
pub(crate) enum Unread {
    /// There is not enough memory for its values.
    NoMemory(NoMemory),
    /// A number in it would lose digits.
    LostDigits(LostDigits),
}

impl From<NoMemory> for Unread {
    fn from(why: NoMemory) -> Self {
        Self::NoMemory(why)
    }
}

/// The tools in an answer that lists them.
const LISTING: &str = ".result.tools[";

/// Checks that no number of a message loses digits. In the schemas of listed tools, defaults and constants become texts
/// with the same digits, and bounds become the nearest number: one tool must not make the others unusable.
pub(crate) fn with_digits(message: &[u8]) -> Result<Cow<'_, [u8]>, Unread> {
    if check_numbers(message).is_ok() {
        return Ok(Cow::Borrowed(message));
    }
    check_numbers_at(message, |place| !place.starts_with(LISTING)).map_err(Unread::LostDigits)?;
    Ok(lost_digits_as_text(message, |place| {
        [".default", ".const", ".enum", ".example"].iter().any(|it| place.contains(it))
    }))
}

/// Bytes that the values of a message take while it is parsed.
fn bytes(message: &[u8]) -> u64 {
    value_bytes(message).saturating_mul(COPIES)
}

/// Reserves memory for the values of a message.
pub(crate) fn room_for(message: &[u8]) -> Result<Reservation, NoMemory> {
    ValueMemory::reserve(bytes(message))
}

/// Extends a reservation for the text of a message to its values, and waits for a while if too little memory is free
/// now.
pub(crate) async fn room_soon(mut text: Reservation, message: &[u8]) -> Result<Reservation, NoMemory> {
    let more = bytes(message).saturating_sub(text.bytes());
    text.grow_until(more, tokio::time::sleep(WAIT)).await?;
    Ok(text)
}

/// Bytes that existing values take.
pub(crate) fn bytes_of(values: &impl Serialize) -> u64 {
    serde_json::to_vec(values).map_or(0, |text| value_bytes(&text))
}

/// The memory reserved for a request, held as long as any part of the request exists. The transport adds it to the
/// extensions.
#[derive(Clone, Debug)]
pub(crate) struct RequestMemory(Arc<Mutex<Reservation>>);

impl RequestMemory {
    pub(crate) fn new(room: Reservation) -> Self {
        Self(Arc::new(Mutex::new(room)))
    }

    /// Returns `None` if the request did not come from a transport of this crate.
    pub(crate) fn of(extensions: &Extensions) -> Option<Self> {
        let parts = || extensions.get::<Parts>()?.extensions.get::<Self>();
        extensions.get::<Self>().or_else(parts).cloned()
    }

    /// Releases the memory of the second copy, after the SDK has parsed the request.
    pub(crate) fn is_parsed(&self) {
        let bytes = self.bytes() / COPIES;
        self.shrink_to(bytes);
    }

    /// Reduces the reservation to this number of bytes.
    pub(crate) fn shrink_to(&self, bytes: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).shrink_to(bytes);
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes()
    }
}

/// Extracts the id of a request or an answer, without keeping the rest of the message.
pub(crate) fn id(message: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow)]
        id: &'a serde_json::value::RawValue,
    }
    let head: Head<'_> = serde_json::from_slice(message).ok()?;
    let id = head.id.get();
    // An id is a number or a string.
    let is_one = id.len() <= ID && !id.starts_with(['[', '{']);
    is_one.then(|| serde_json::from_str(id).ok()).flatten()
}

/// Whether a message is an answer. Requests and notifications name a method.
pub(crate) fn is_answer(message: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Head {
        method: Option<serde::de::IgnoredAny>,
    }
    !matches!(serde_json::from_slice(message), Ok(Head { method: Some(_) }))
}

/// Returns the error that a client gets in place of an answer that was not read. A request or notification
/// of the server is dropped (`None`): an error with its id would be mistaken for the answer to a request of the client.
pub(crate) fn in_place_of(message: &[u8], why: &Unread) -> Option<Vec<u8>> {
    if !is_answer(message) {
        tracing::warn!("{}", refusal("a request or notification of the server", why));
        return None;
    }
    let error = json!({ "code": -32603, "message": refusal("the answer of the server", why) });
    json!({ "jsonrpc": "2.0", "id": id(message), "error": error }).to_string().into_bytes().into()
}

/// The error text for a message that was not read.
pub(crate) fn refusal(what: &str, why: &Unread) -> String {
    match why {
        Unread::NoMemory(why) if why.busy => format!("{what} was not read: {why}\nhint: try again later"),
        Unread::NoMemory(why) => {
            format!("{what} was not read: {why}\nhint: send fewer values at a time, or one text with all of them")
        }
        Unread::LostDigits(lost) => format!("{what} was not read: {}\nhint: {}", lost.of(""), LostDigits::HINT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_known_by_their_id_wherever_it_stands() {
        let list = "1,".repeat(1_000) + "1";
        for (text, expected) in [
            (format!(r#"{{"id":7,"params":[{list}]}}"#), Some(json!(7))),
            (format!(r#"{{"params":[{list}],"id":"a"}}"#), Some(json!("a"))),
            (format!(r#"{{"params":[{list}]}}"#), None),
            (format!(r#"{{"id":[{list}]}}"#), None),
            ("{".to_owned(), None),
        ] {
            assert_eq!(id(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn what_the_other_side_asks_is_not_answered_in_its_own_name() {
        let why = room_for(format!("[{}1]", "1,".repeat(4_000_000)).as_bytes()).unwrap_err().into();
        for (text, is_answered) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#, false),
            (r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#, false),
            (r#"{"jsonrpc":"2.0","id":1,"result":{"method":"a"}}"#, true),
            (r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, true),
        ] {
            assert_eq!(in_place_of(text.as_bytes(), &why).is_some(), is_answered, "{text}");
        }
    }

    #[test]
    fn an_answer_without_room_is_an_error_with_its_id() {
        let many = format!(r#"{{"jsonrpc":"2.0","id":3,"result":[{}1]}}"#, "1,".repeat(4_000_000));
        let why = room_for(many.as_bytes()).unwrap_err().into();
        let error: Value = serde_json::from_slice(&in_place_of(many.as_bytes(), &why).unwrap()).unwrap();
        assert_eq!((&error["id"], &error["error"]["code"]), (&json!(3), &json!(-32603)));
        let text = error["error"]["message"].as_str().unwrap();
        assert!(
            text.starts_with("the answer of the server was not read: it would take ")
                && text.contains("\nhint: send fewer"),
            "{text}"
        );
        assert!(room_for(format!(r#"{{"id":3,"result":"{}"}}"#, "1,".repeat(4_000_000)).as_bytes()).is_ok());
    }

    #[test]
    fn numbers_that_would_lose_digits_are_named_except_in_listings() {
        let answer = br#"{"jsonrpc":"2.0","id":3,"result":{"structuredContent":{"n":[100000000000000000001]}}}"#;
        let why = with_digits(answer).unwrap_err();
        let error = String::from_utf8(in_place_of(answer, &why).unwrap()).unwrap();
        assert!(
            error.contains("`result.structuredContent.n[0]` is 100000000000000000001, ") && error.contains("as text")
        );
        let listing = br#"{"result":{"tools":[{"inputSchema":{"maximum":1000000000000000000000,"default":1000000000000000000000}}]}}"#;
        let read: Value = serde_json::from_slice(&with_digits(listing).unwrap()).unwrap();
        let schema = &read["result"]["tools"][0]["inputSchema"];
        assert_eq!((&schema["maximum"], &schema["default"]), (&json!(1e21), &json!("1000000000000000000000")));
    }
}
