//! An HTTP client for MCP servers whose messages are measured before they are parsed.
//!
//! The SDK's own client parses a JSON answer as soon as it has arrived. Requests are therefore sent here; messages
//! without an answer, and streams, are left to the SDK's client.

mod answer;
mod events;

use std::{collections::HashMap, sync::Arc};

use ::http::{HeaderName, HeaderValue, header};
use rmcp::{
    model::{ClientJsonRpcMessage, ClientRequest},
    transport::streamable_http_client::{
        StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
    },
};

use self::{
    answer::Asked,
    events::{Events, counted},
};

const SESSION: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Maximum length, in bytes, of a response to a message that needs no answer.
const UNASKED: usize = 64 << 10;

type Problem = StreamableHttpError<reqwest::Error>;

/// The SDK's client, with measured answers.
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
            return answer.await.map(with_events_counted);
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
        self.0.get_stream(uri, session, last_event, token, headers).await.map(counted)
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
        opened.await.map(counted)
    }
}

/// The same answer; the events of a stream are measured.
fn with_events_counted(answer: StreamableHttpPostResponse) -> StreamableHttpPostResponse {
    match answer {
        StreamableHttpPostResponse::Sse(events, session) => StreamableHttpPostResponse::Sse(counted(events), session),
        other => other,
    }
}
