//! Reads the body of a request as a whole before it is processed, with limits on its length and time, so that a client
//! cannot hold a connection by sending single bytes.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::Body as HttpBody;
use http_body_util::Full;
use isolette::values::NoMemory;
use isolette_listener::{
    access::{Body, refuse},
    body::{self, BodyError},
};

use serde_json::json;

use crate::measured::{self, RequestMemory, Unread};

/// Reads the body. `Err` is the response to send instead.
pub(super) async fn take<B>(
    request: Request<B>,
    bytes: usize,
    time: Duration,
) -> Result<Request<Full<Bytes>>, Response<Body>>
where
    B: HttpBody<Data = Bytes>,
{
    let (mut head, body) = request.into_parts();
    let refusal = match body::read(body, bytes, time).await {
        Ok((body, text)) => {
            let room = measured::room_soon(text, &body).await.map_err(no_room)?;
            if let Err(why) = measured::with_digits(&body) {
                return Err(unread(&body, &why));
            }
            head.extensions.insert(RequestMemory::new(room));
            return Ok(Request::from_parts(head, Full::new(body)));
        }
        Err(BodyError::NoMemory(why)) => return Err(no_room(why)),
        Err(BodyError::TooLong) => (StatusCode::PAYLOAD_TOO_LARGE, "Payload Too Large: send shorter messages\n"),
        Err(BodyError::BrokenOff) => (StatusCode::BAD_REQUEST, "Bad Request: the body broke off\n"),
        Err(BodyError::TooSlow) => (StatusCode::REQUEST_TIMEOUT, "Request Timeout: the body took too long to arrive\n"),
    };
    Err(refuse(refusal.0, refusal.1))
}

fn no_room(why: NoMemory) -> Response<Body> {
    let status = if why.busy { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::PAYLOAD_TOO_LARGE };
    refuse(status, format!("{}\n", measured::refusal("the message", &why.into())))
}

/// The error of the protocol for a message that was not read.
fn unread(message: &[u8], why: &Unread) -> Response<Body> {
    let error = json!({ "code": -32600, "message": measured::refusal("the message", why) });
    let id = measured::id(message);
    // An answer to a request has its status, so that clients read it.
    let status = if id.is_some() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": error });
    let mut response = refuse(status, answer.to_string());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        pin::Pin,
        task::{Context, Poll},
    };

    use http_body::Frame;
    use http_body_util::BodyExt as _;
    use isolette_listener::body::TIME;

    use super::*;

    const SOON: Duration = Duration::from_millis(10);

    /// The parts, and then either the end or a stall.
    struct Parts(Vec<&'static [u8]>, bool);

    impl HttpBody for Parts {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            match self.0.pop() {
                Some(part) => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(part))))),
                None if self.1 => Poll::Ready(None),
                None => Poll::Pending,
            }
        }
    }

    async fn status(body: Parts, time: Duration) -> Result<Bytes, StatusCode> {
        match take(Request::new(body), 5, time).await {
            Ok(request) => Ok(request.into_body().collect().await.expect("it is there").to_bytes()),
            Err(response) => Err(response.status()),
        }
    }

    #[tokio::test]
    async fn bodies_are_taken_whole_in_time_and_within_their_limit() {
        assert_eq!(status(Parts(vec![b"de", b"abc"], true), TIME).await, Ok(Bytes::from_static(b"abcde")));
        assert_eq!(status(Parts(vec![b"def", b"abc"], true), TIME).await, Err(StatusCode::PAYLOAD_TOO_LARGE));
        assert_eq!(status(Parts(vec![b"abc"], false), SOON).await, Err(StatusCode::REQUEST_TIMEOUT));
    }

    #[tokio::test]
    async fn bodies_with_too_many_values_are_refused_before_they_are_parsed() {
        let many: &'static [u8] = format!("[{}1]", "1,".repeat(3_000_000)).leak().as_bytes();
        let text: &'static [u8] = format!("\"{}\"", "1,".repeat(3_000_000)).leak().as_bytes();
        let refused = take(Request::new(Parts(vec![many], true)), 16 << 20, TIME).await.expect_err("it is too much");
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
        let body = refused.into_body().collect().await.expect("it is there").to_bytes();
        assert!(body.starts_with(b"the message was not read: it would take "), "{body:?}");
        let taken = take(Request::new(Parts(vec![text], true)), 16 << 20, TIME).await.expect("it is one text");
        // The memory stays reserved as long as the request exists, with two copies while it is parsed.
        let room = taken.extensions().get::<RequestMemory>().expect("it is counted");
        assert!(room.bytes() >= 12_000_000);
        room.is_parsed();
        assert!((6_000_000..7_000_000).contains(&room.bytes()), "{}", room.bytes());
    }
}
