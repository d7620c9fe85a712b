//! Streams of events, each of which is a message: the length of each event is limited, and each is measured before the
//! SDK parses it.

use std::{borrow::Cow, io};

use bytes::Bytes;
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use isolette::values::Reservation;
use reqwest::Response;
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::{Sse, SseStream};

use super::super::pace::Pace;
use crate::measured::{self, Unread};

pub(super) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Returns the events of a body.
pub(super) fn of(response: Response, limit: usize) -> Events {
    counted(SseStream::from_bytes_stream(bounded(response, limit)).boxed())
}

/// Measures each event; one that is not read, such as for lack of memory, is replaced by an error.
pub(super) fn counted(events: Events) -> Events {
    let counted = Counted { events, room: Reservation::default(), pace: Pace::new() };
    stream::unfold(counted, |mut counted| async move { Some((counted.next().await?, counted)) }).boxed()
}

struct Counted {
    events: Events,
    /// Memory for the latest event. When the next one is requested, the SDK has parsed it and passed it on.
    room: Reservation,
    pace: Pace,
}

impl Counted {
    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        self.room = Reservation::default();
        self.pace.wait().await;
        let mut event = match self.events.next().await? {
            Ok(event) => event,
            Err(error) => return Some(Err(error)),
        };
        self.pace.take(1, event.data.as_ref().map_or(0, String::len));
        if let Some(data) = &event.data {
            let room = measured::room_soon(Reservation::default(), data.as_bytes()).await;
            let read = room.map_err(Unread::from).and_then(|room| Ok((room, measured::with_digits(data.as_bytes())?)));
            match read {
                Ok((room, Cow::Borrowed(_))) => self.room = room,
                Ok((room, Cow::Owned(text))) => {
                    self.room = room;
                    event.data = String::from_utf8(text).ok();
                }
                // The SDK skips an event without data.
                Err(why) => {
                    let instead = measured::in_place_of(data.as_bytes(), &why);
                    event.data = instead.and_then(|data| String::from_utf8(data).ok());
                }
            }
        }
        Some(Ok(event))
    }
}

/// Returns the parts of a body and fails if an event is too long. An event ends with an empty line.
fn bounded(response: Response, limit: usize) -> BoxStream<'static, io::Result<Bytes>> {
    let length = Length::default();
    let parts = stream::unfold(Some((response, length)), move |state| async move {
        let (mut response, mut length) = state?;
        match response.chunk().await {
            Ok(None) => None,
            Ok(Some(part)) if length.count(&part) <= limit => Some((Ok(part), Some((response, length)))),
            Ok(Some(_)) => Some((Err(io::Error::other(format!("an event has more than {limit} bytes"))), None)),
            Err(error) => Some((Err(io::Error::other(error)), None)),
        }
    });
    parts.boxed()
}

/// Bytes of the current event, and of its last line.
#[derive(Default)]
struct Length {
    event: usize,
    line: usize,
}

impl Length {
    /// Counts a part of the body. Returns the highest length of an event in it.
    fn count(&mut self, part: &[u8]) -> usize {
        let mut most = 0;
        for byte in part {
            self.event += 1;
            most = most.max(self.event);
            match byte {
                b'\n' if self.line == 0 => self.event = 0,
                b'\n' => self.line = 0,
                b'\r' => {}
                _ => self.line += 1,
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use isolette::values::value_bytes;

    use super::*;

    #[test]
    fn the_length_of_an_event_ends_with_it() {
        let mut length = Length::default();
        assert_eq!(length.count(b"data: a\r\n\r\ndata: b\n"), 11);
        assert_eq!(length.count(b"\ndata: c"), 9);
    }

    #[tokio::test]
    async fn events_with_too_many_values_are_errors() {
        let many = format!(r#"{{"jsonrpc":"2.0","id":1,"result":[{}1]}}"#, "1,".repeat(3_000_000));
        let events = [Sse::default().data("{}"), Sse::default().data(many)].map(Ok::<_, SseError>);
        let read: Vec<_> = counted(stream::iter(events).boxed()).collect().await;
        let data: Vec<_> = read.into_iter().map(|event| event.unwrap().data.unwrap()).collect();
        assert_eq!(data[0], "{}");
        assert!(data[1].len() < 500 && data[1].contains("was not read"), "{}", data[1]);
    }

    #[tokio::test]
    async fn an_event_is_counted_until_the_next_one_is_asked_for() {
        let events = ["[1, 2]", "[1]"].map(|data| Ok::<_, SseError>(Sse::default().data(data)));
        let mut events =
            Counted { events: stream::iter(events).boxed(), room: Reservation::default(), pace: Pace::new() };
        let mut counted = Vec::new();
        while let Some(event) = events.next().await {
            counted.push((event.unwrap().data.unwrap(), events.room.bytes()));
        }
        let expected = ["[1, 2]", "[1]"].map(|data| (data.to_owned(), 2 * value_bytes(data.as_bytes())));
        assert_eq!((counted, events.room.bytes()), (expected.to_vec(), 0));
    }
}
