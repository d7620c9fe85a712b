//! Responses for which memory is reserved before they are made.

use std::{
    io::{self, Write},
    time::Duration,
};

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, StatusCode, header};
use isolette::values::{NoMemory, Reservation, ResponseMemory};
use isolette_listener::responses::{Reserved, SMALL, WAIT};
use serde::Serialize;

use crate::failure::Failure;

/// The memory of a response that is being made: of what it is made of, and of its bytes.
pub(super) struct Room {
    memory: Reservation,
    wait: Duration,
}

impl Room {
    /// No memory yet.
    pub(super) fn empty() -> Self {
        Self { memory: ResponseMemory::nothing(), wait: WAIT }
    }

    /// The same, for a response that must not be refused lightly.
    pub(super) fn patient(wait: Duration) -> Self {
        Self { memory: ResponseMemory::nothing(), wait }
    }

    /// Memory for this many bytes. Waits if other responses have it.
    pub(super) async fn of(bytes: u64) -> Result<Self, Failure> {
        let mut room = Self::empty();
        room.grow(bytes).await?;
        Ok(room)
    }

    /// Memory for at most this many bytes, of which most responses need few.
    pub(super) async fn up_to(bytes: u64) -> Result<Self, Failure> {
        Self::of(bytes.min(ResponseMemory::limit() / 8)).await
    }

    pub(super) async fn grow(&mut self, bytes: u64) -> Result<(), Failure> {
        self.reserve(bytes).await.map_err(|why| Failure::no_room(&why))
    }

    async fn reserve(&mut self, bytes: u64) -> Result<(), NoMemory> {
        // What is short is bounded by the number of connections.
        if self.memory.bytes() + bytes <= SMALL {
            return Ok(());
        }
        self.memory.grow_until(bytes, tokio::time::sleep(self.wait)).await
    }

    /// A response in JSON. The memory grows as the text does, if it was not estimated well.
    pub(super) async fn json<T: Serialize + Sync>(
        mut self,
        status: StatusCode,
        value: &T,
    ) -> Result<Response, Failure> {
        let mut has_waited = false;
        let bytes = loop {
            let mut text = Text { bytes: Vec::new(), memory: &mut self.memory, why: None };
            match (serde_json::to_writer(&mut text, value), text.why.take()) {
                (Ok(()), _) => break text.bytes,
                (Err(_), Some(why)) if why.busy && !has_waited => {
                    drop(text);
                    has_waited = true;
                    self.grow(why.bytes.saturating_sub(self.memory.bytes())).await?;
                }
                (Err(_), Some(why)) => return Err(Failure::no_room(&why)),
                (Err(error), None) => {
                    let message = format!("the response cannot be written: {error}");
                    return Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "Io", message, "report it"));
                }
            }
        };
        self.memory.shrink_to(bytes.len() as u64);
        let mut response = self.holding((status, bytes).into_response());
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        Ok(response)
    }

    /// The response, which has the memory until it was sent.
    pub(super) fn holding(self, mut response: Response<Body>) -> Response {
        if self.memory.bytes() > 0 {
            response.extensions_mut().insert(Reserved::new(self.memory));
        }
        response
    }
}

/// A text that grows within its memory.
struct Text<'a> {
    bytes: Vec<u8>,
    memory: &'a mut Reservation,
    why: Option<NoMemory>,
}

impl Write for Text<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let length = self.bytes.len() + part.len();
        if length > self.bytes.capacity() {
            let capacity = length.max(self.bytes.capacity().saturating_mul(2)).max(256);
            let more = (capacity as u64).saturating_sub(self.memory.bytes());
            if capacity as u64 > SMALL
                && let Err(why) = self.memory.grow(more)
            {
                self.why = Some(why);
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Memory for a part of a stream while it is made. Its bytes have theirs as soon as they are on their way.
pub(super) async fn of_part(bytes: u64) -> io::Result<Reservation> {
    let mut room = Room::patient(PART);
    room.reserve(bytes).await.map_err(|why| io::Error::other(isolette_listener::responses::refusal(&why)))?;
    Ok(room.memory)
}

/// How long a part of a stream waits.
const PART: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn a_text_has_its_memory_before_it_is_longer() {
        let value = vec!["x".repeat(100_000); 10];
        let response = Room::empty().json(StatusCode::CREATED, &value).await.unwrap();
        assert_eq!(
            (response.status(), &response.headers()["content-type"]),
            (StatusCode::CREATED, &"application/json".parse().unwrap())
        );
        assert!(response.extensions().get::<Reserved>().is_some());
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, serde_json::to_vec(&value).unwrap());
        let short = Room::empty().json(StatusCode::OK, &[1, 2]).await.unwrap();
        assert!(short.extensions().get::<Reserved>().is_none());
        let long = "x".repeat(usize::try_from(ResponseMemory::limit() / 4).unwrap());
        let refused = Room::empty().json(StatusCode::OK, &long).await.unwrap_err();
        assert_eq!((refused.status, &*refused.detail().kind), (StatusCode::PAYLOAD_TOO_LARGE, "TooLarge"));
    }
}
