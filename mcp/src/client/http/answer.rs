//! Converts the answer to one request into a message that was measured before it was parsed, a stream of messages, or
//! an error.

use ::http::{StatusCode, header};
use isolette::values::Reservation;
use reqwest::Response;
use rmcp::{
    model::{ErrorData, RequestId, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        AuthRequiredError, HttpStatusError, StreamableHttpError, StreamableHttpPostResponse,
        StreamableHttpResponseLimits,
    },
};

use super::{EVENTS, JSON, Problem, SESSION, events};
use crate::measured::{self, Unread};

/// A request that was sent.
pub(super) struct Asked {
    pub(super) id: RequestId,
    /// It is a discovery request (`server/discover`), which servers of older revisions do not support.
    pub(super) discovers: bool,
    pub(super) in_session: bool,
}

impl Asked {
    /// Converts the response for the SDK.
    pub(super) async fn answer(
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
            return Ok(StreamableHttpPostResponse::Sse(events::of(response, limits.max_sse_event_size), session));
        }
        if !is_json {
            return Err(StreamableHttpError::UnexpectedContentType(kind));
        }
        let limit = limits.max_json_response_size;
        let Some(body) = beginning(response, limit).await? else {
            return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: limit });
        };
        parse(&body).await.map(|message| StreamableHttpPostResponse::Json(message, session))
    }

    /// Converts a response without success. An error in its body is passed on.
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
        let sent = match is_json && !is_denied && status != StatusCode::TOO_MANY_REQUESTS {
            true => match parse(&body).await {
                Ok(ServerJsonRpcMessage::Error(error)) => Some(error),
                _ => None,
            },
            false => None,
        };
        let text = || String::from_utf8_lossy(&body).into_owned();
        if self.discovers && !self.in_session && status.is_client_error() && !is_denied {
            let error = sent.map_or_else(
                || {
                    ErrorData::invalid_request(
                        format!("server/discover was refused with HTTP {status}: {}", text()),
                        None,
                    )
                },
                |sent| sent.error,
            );
            let answer = ServerJsonRpcMessage::error(error, Some(self.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        if let Some(sent) = sent {
            return Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::Error(sent), session));
        }
        Err(late.map_or_else(
            || StreamableHttpError::UnexpectedServerResponse(format!("HTTP {status}: {}", text()).into()),
            StreamableHttpError::HttpStatus,
        ))
    }
}

/// Parses a message. If it cannot be read, such as for lack of memory, an error takes its place.
async fn parse(body: &[u8]) -> Result<ServerJsonRpcMessage, Problem> {
    let room = measured::room_soon(Reservation::default(), body).await;
    let parsed = match room.map_err(Unread::from).and_then(|room| Ok((room, measured::with_digits(body)?))) {
        Ok((_room, text)) => serde_json::from_slice(&text),
        // If the message is not an answer, there is no error to put in its place, and parsing fails.
        Err(why) => serde_json::from_slice(&measured::in_place_of(body, &why).unwrap_or_default()),
    };
    parsed.map_err(|error| {
        let shown = String::from_utf8_lossy(&body[..body.len().min(256)]).into_owned();
        StreamableHttpError::UnexpectedServerResponse(format!("{error}: {shown}").into())
    })
}

/// Reads a body of at most `limit` bytes. `None` if it is longer.
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
