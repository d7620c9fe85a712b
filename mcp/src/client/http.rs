//! A server that is reached over HTTP, whose messages are measured before they are parsed.
//!
//! The SDK's own client parses an answer in JSON as soon as it has come in, so requests are sent here; what needs no answer,
//! and streams, are left to it.

use std::{collections::HashMap, io, sync::Arc};

use ::http::{HeaderName, HeaderValue, StatusCode, header};
use bytes::Bytes;
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use reqwest::Response;
use rmcp::{
    model::{ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        AuthRequiredError, HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError,
        StreamableHttpPostResponse, StreamableHttpResponseLimits,
    },
};
use sse_stream::{Sse, SseStream};

use crate::measured;

const SESSION: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Bytes of an answer to what needs none.
const UNASKED: usize = 64 << 10;

type Problem = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// The SDK's client, with a look at what comes in.
#[derive(Clone, Debug)]
pub(super) struct Measured(pub(super) reqwest::Client);

impl StreamableHttpClient for Measured {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Problem> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        mut limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Problem> {
        let ClientJsonRpcMessage::Request(request) = &message else {
            limits.max_json_response_size = limits.max_json_response_size.min(UNASKED);
            let answer = self.0.post_message_with_response_limits(uri, message, session, token, headers, limits);
            return answer.await.map(measured_answer);
        };
        let asked = Asked {
            id: request.id.clone(),
            discovers: matches!(request.request, ClientRequest::DiscoverRequest(_)),
            in_session: session.is_some(),
        };
        let mut sent = self.0.post(uri.as_ref()).header(header::ACCEPT, format!("{EVENTS}, {JSON}"));
        if let Some(token) = token {
            sent = sent.bearer_auth(token);
        }
        for (name, value) in headers {
            sent = sent.header(name, value);
        }
        if let Some(session) = session {
            sent = sent.header(SESSION, session.as_ref());
        }
        let body = serde_json::to_vec(&message).map_err(StreamableHttpError::Deserialize)?;
        let sent = sent.header(header::CONTENT_TYPE, JSON).body(body).send().await;
        asked.answer(sent.map_err(StreamableHttpError::Client)?, limits).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Problem> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, Problem> {
        self.0.get_stream(uri, session, last_event, token, headers).await.map(measured_events)
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        limit: usize,
    ) -> Result<Events, Problem> {
        let opened = self.0.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, limit);
        opened.await.map(measured_events)
    }
}

/// A request that was sent.
struct Asked {
    id: RequestId,
    /// It finds out which revisions the server speaks. One of an older revision does not know the question.
    discovers: bool,
    in_session: bool,
}

impl Asked {
    async fn answer(
        &self,
        response: Response,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Problem> {
        let status = response.status();
        let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let session = text(SESSION);
        let kind = text(header::CONTENT_TYPE.as_str());
        let essence = kind.as_deref().and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        let (is_json, is_events) = (essence.eq_ignore_ascii_case(JSON), essence.eq_ignore_ascii_case(EVENTS));
        match status {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => return Ok(StreamableHttpPostResponse::Accepted),
            StatusCode::NOT_FOUND if self.in_session => return Err(StreamableHttpError::SessionExpired),
            StatusCode::UNAUTHORIZED => {
                if let Some(challenge) = text(header::WWW_AUTHENTICATE.as_str()) {
                    return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge)));
                }
            }
            _ => {}
        }
        if !status.is_success() {
            return self.refused(response, is_json, session, &limits).await;
        }
        if is_events {
            let events = SseStream::from_bytes_stream(bounded(response, limits.max_sse_event_size));
            return Ok(StreamableHttpPostResponse::Sse(measured_events(events.boxed()), session));
        }
        if !is_json {
            return Err(StreamableHttpError::UnexpectedContentType(kind));
        }
        let limit = limits.max_json_response_size;
        let Some(body) = beginning(response, limit).await? else {
            return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: limit });
        };
        parse(&body).map(|message| StreamableHttpPostResponse::Json(message, session))
    }

    /// What is made of an answer that is no success: the error that it tells of, if it does.
    async fn refused(
        &self,
        response: Response,
        is_json: bool,
        session: Option<String>,
        limits: &StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Problem> {
        let status = response.status();
        let again = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let late = (status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error())
            .then(|| HttpStatusError::new(status.as_u16(), again.map(str::to_owned)));
        let limit = limits.max_error_response_size;
        let body = beginning(response, limit).await.unwrap_or_default().unwrap_or_default();
        let is_denied = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        let told = match is_json && !is_denied && status != StatusCode::TOO_MANY_REQUESTS {
            true => match parse(&body) {
                Ok(ServerJsonRpcMessage::Error(error)) => Some(error),
                _ => None,
            },
            false => None,
        };
        let text = || String::from_utf8_lossy(&body).into_owned();
        if self.discovers && !self.in_session && status.is_client_error() && !is_denied {
            let error = told.map_or_else(
                || {
                    ErrorData::invalid_request(
                        format!("server/discover was refused with HTTP {status}: {}", text()),
                        None,
                    )
                },
                |told| told.error,
            );
            let answer = ServerJsonRpcMessage::error(error, Some(self.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        if let Some(told) = told {
            return Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::Error(told), session));
        }
        Err(late.map_or_else(
            || StreamableHttpError::UnexpectedServerResponse(format!("HTTP {status}: {}", text()).into()),
            StreamableHttpError::HttpStatus,
        ))
    }
}

/// A message, or an error in its place.
fn parse(body: &[u8]) -> Result<ServerJsonRpcMessage, Problem> {
    let parsed = match measured::room_for(body) {
        Ok(_room) => serde_json::from_slice(body),
        // What stands where an answer has to be, and is none, is no message.
        Err(why) => serde_json::from_slice(&measured::in_place_of(body, &why).unwrap_or_default()),
    };
    parsed.map_err(|error| {
        let shown = String::from_utf8_lossy(&body[..body.len().min(256)]).into_owned();
        StreamableHttpError::UnexpectedServerResponse(format!("{error}: {shown}").into())
    })
}

/// As much of a body as there may be. `None` if there is more.
async fn beginning(mut response: Response, limit: usize) -> Result<Option<Vec<u8>>, Problem> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(StreamableHttpError::Client)? {
        if part.len() > limit - body.len() {
            return Ok(None);
        }
        body.extend_from_slice(&part);
    }
    Ok(Some(body))
}

/// The parts of a body in which no event is longer than events may be: an event ends with an empty line.
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

/// Bytes of an event so far, and of its last line.
#[derive(Default)]
struct Length {
    event: usize,
    line: usize,
}

impl Length {
    /// Counts what comes next, and gives the most that an event had.
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

fn measured_answer(answer: StreamableHttpPostResponse) -> StreamableHttpPostResponse {
    match answer {
        StreamableHttpPostResponse::Sse(events, session) => {
            StreamableHttpPostResponse::Sse(measured_events(events), session)
        }
        other => other,
    }
}

/// Events, each of them a message, or an error in its place.
fn measured_events(events: Events) -> Events {
    let measured = |mut event: Sse| {
        if let Some(data) = &event.data
            && let Err(why) = measured::room_for(data.as_bytes())
        {
            // An event without data is passed over.
            event.data = measured::in_place_of(data.as_bytes(), &why).and_then(|data| String::from_utf8(data).ok());
        }
        event
    };
    events.map(move |event| event.map(measured)).boxed()
}

#[cfg(test)]
mod tests {
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
        let read: Vec<_> = measured_events(stream::iter(events).boxed()).collect().await;
        let data: Vec<_> = read.into_iter().map(|event| event.unwrap().data.unwrap()).collect();
        assert_eq!(data[0], "{}");
        assert!(data[1].len() < 500 && data[1].contains("was not read"), "{}", data[1]);
    }
}
