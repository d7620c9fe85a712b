//! The body of a request, taken as a whole before anybody looks at it: within its limit, and within a time of its own, so
//! that nobody holds a connection by sending a byte now and then.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::Body as HttpBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};

use super::access::{Body, refuse};

/// How long a client may take to send the body of a request.
pub(super) const TIME: Duration = Duration::from_secs(30);

/// Takes it, or says what to answer instead.
pub(super) async fn take<B>(
    request: Request<B>,
    bytes: usize,
    time: Duration,
) -> Result<Request<Full<Bytes>>, Response<Body>>
where
    B: HttpBody<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (head, body) = request.into_parts();
    let too_long = || refuse(StatusCode::PAYLOAD_TOO_LARGE, "Payload Too Large: send shorter messages\n");
    // What says how long it is need not be read to be refused.
    if body.size_hint().lower() > bytes as u64 {
        return Err(too_long());
    }
    match tokio::time::timeout(time, Limited::new(body, bytes).collect()).await {
        Ok(Ok(body)) => Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
        Ok(Err(_)) => Err(refuse(StatusCode::BAD_REQUEST, "Bad Request: the body broke off\n")),
        Err(_) => Err(refuse(StatusCode::REQUEST_TIMEOUT, "Request Timeout: the body took too long to arrive\n")),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        pin::Pin,
        task::{Context, Poll},
    };

    use http_body::Frame;

    use super::*;

    const SOON: Duration = Duration::from_millis(10);

    /// The parts, and then either the end or nothing more.
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
}
