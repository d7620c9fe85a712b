//! Responses to requests that fail.

use std::{borrow::Cow, io::ErrorKind, time::Duration};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use isolette::{Error, values::NoMemory};
use isolette_listener::responses::refusal;
use isolette_objects::ObjectsError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::CLOSED;

/// Time after which a request that was refused for lack of room can be sent again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The name of [`Failure::storage_full`].
const STORAGE_FULL: &str = "StorageFull";

/// The name of [`Failure::moved`].
const MOVED: &str = "Moved";

/// Why a request failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    kind: Cow<'static, str>,
    message: String,
    hint: String,
    /// Whether the request was done, and only its response failed.
    is_done: bool,
}

/// Marks the response to a request that was done, and must not be done again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done;

/// The body of the response to a request that failed.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    pub(crate) error: ErrorDetail,
}

/// Why a request or a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// A name for programs: `NotFound`, `InvalidArgument`, `Busy`, `Timeout`, ...
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// What happened.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: String,
}

impl Failure {
    pub(crate) fn new(
        status: StatusCode,
        kind: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { status, kind: kind.into(), message: message.into(), hint: hint.into(), is_done: false }
    }

    pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "InvalidArgument", message, hint)
    }

    /// The object does not exist, or belongs to another caller: both have the same response.
    pub(crate) fn not_found(what: &str, id: &str) -> Self {
        let list = match what {
            "sandbox" => "list sandboxes (`isolette list`, `GET /v1/sandboxes`); they end with their `ttl`",
            "run" => {
                "list runs (`isolette ps --all`, `GET /v1/runs`); records of ended runs are deleted after some days"
            }
            "snapshot" => "list snapshots (`isolette snapshot list`, `GET /v1/snapshots`)",
            "context" => "list the contexts of the sandbox, or create it",
            _ => "check the path",
        };
        let shown: String = id.chars().take(100).collect();
        Self::new(StatusCode::NOT_FOUND, "NotFound", format!("there is no {what} `{}`", shown.escape_debug()), list)
    }

    /// A folder has more entries than are listed.
    pub(crate) fn too_many_entries(path: &str, limit: usize) -> Self {
        let message = format!("there are more than {limit} entries in `{path}`");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", message, "list fewer levels, or a folder in it")
    }

    pub(crate) fn conflict(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "Conflict", message, hint)
    }

    /// There is no room at present.
    pub(crate) fn busy(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "Busy", message, hint)
    }

    /// There is no room to store what the request needs.
    pub(crate) fn storage_full(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::INSUFFICIENT_STORAGE, STORAGE_FULL, message, hint)
    }

    pub(crate) fn stopping() -> Self {
        let hint = "send the request again, to the server that replaces it";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "Stopping", "the server is being stopped", hint)
    }

    /// There is no memory for the values of a request.
    pub(crate) fn no_memory(why: &NoMemory) -> Self {
        let message = format!("the request was not read: {why}");
        match why.busy {
            true => Self::busy(message, "try again later"),
            false => {
                let hint = "send fewer values at a time, or one text with all of them";
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", message, hint)
            }
        }
    }

    /// There is no memory for a response.
    pub(crate) fn no_room(why: &NoMemory) -> Self {
        let message = refusal(why);
        match why.busy {
            true => {
                let hint = "read the responses that were asked for, and try again later; the operator can raise `response_bytes`";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "Busy", message, hint)
            }
            false => {
                let hint = "ask for less at a time, or for its parts; the operator can raise `response_bytes`";
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", message, hint)
            }
        }
    }

    /// Returns the failure of a request after its work was done: the hint says where the result is found, and the response is kept for
    /// the key of the request.
    pub(crate) fn after(mut self, hint: &str) -> Self {
        self.hint = format!("{hint}; {}", self.hint);
        self.is_done = true;
        self
    }

    /// The store of a replica does not answer.
    pub(crate) fn no_shared_store() -> Self {
        let message = "this server cannot reach the store that it shares with others";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "Unavailable", message, "send the request again")
    }

    /// Another replica has taken over what the request was about.
    pub(crate) fn moved() -> Self {
        let message = "another server has taken this over, and what was done last is not part of it";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, MOVED, message, "send the request again")
    }

    pub(crate) fn is_moved(&self) -> bool {
        self.kind == MOVED
    }

    /// The failure as it is in responses and results.
    pub(crate) fn detail(&self) -> ErrorDetail {
        ErrorDetail { kind: self.kind.to_string(), message: self.message.clone(), hint: self.hint.clone() }
    }
}

impl From<ObjectsError> for Failure {
    fn from(error: ObjectsError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "Unavailable", error.to_string(), "try again")
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if matches!(&error, Error::Io { source, .. } if source.kind() == CLOSED) {
            return Self::stopping();
        }
        let status = match &error {
            error if is_full(error) => StatusCode::INSUFFICIENT_STORAGE,
            Error::InvalidArgument { .. } | Error::SessionEnded { .. } => StatusCode::BAD_REQUEST,
            Error::LimitExceeded { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Busy { .. } | Error::BudgetSpent { .. } => StatusCode::TOO_MANY_REQUESTS,
            Error::NotApproved { .. } => StatusCode::FORBIDDEN,
            // Another request has cancelled the run that this one is about.
            Error::Cancelled { .. } => StatusCode::CONFLICT,
            // The caller names the language, and the operator installs images.
            Error::Unavailable { .. } | Error::ImageNotFound { .. } => StatusCode::NOT_IMPLEMENTED,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let detail = detail(&error);
        Self::new(status, detail.kind, detail.message, detail.hint)
    }
}

/// Splits the text of an error into the message and the hint.
pub(crate) fn detail(error: &Error) -> ErrorDetail {
    let text = error.to_string();
    let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
    let kind = if is_full(error) { STORAGE_FULL } else { error.name() };
    ErrorDetail { kind: kind.into(), message: message.into(), hint: hint.into() }
}

/// Whether there is no room to store something: a limit is reached, or the disk is full.
fn is_full(error: &Error) -> bool {
    let Error::Io { source, .. } = error else { return false };
    matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = ErrorBody { error: self.detail() };
        let mut response = (self.status, axum::Json(body)).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS || self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER.as_secs()));
        }
        if self.is_done {
            response.extensions_mut().insert(Done);
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
