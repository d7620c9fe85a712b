//! Recordings of HTTP exchanges.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{answers::Answers, lines::Writer, origin::Origin};
use isolette_http::{Exchange, HttpError, Response, Transport, check_pair};
use isolette_types::Error;

const FILE: &str = "http.jsonl";

/// One recorded exchange.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    origin: Origin,
    method: String,
    url: String,
    /// SHA-256 of the body that was sent, in hexadecimal; empty without a body.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sent: String,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Response(Recorded),
    Error(HttpError),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Recorded {
    status: u16,
    headers: Vec<(String, String)>,
    #[serde(flatten)]
    body: Body,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl Line {
    /// Rejects responses that no server could have sent.
    fn check(&self) -> Result<(), String> {
        let Outcome::Response(Recorded { status, headers, body, .. }) = &self.outcome else { return Ok(()) };
        if !(100..=599).contains(status) {
            return Err(format!("its status is {status}"));
        }
        if let Body::Base64(text) = body {
            STANDARD.decode(text).map_err(|error| format!("its body is no base64: {error}"))?;
        }
        headers.iter().try_for_each(|(name, value)| check_pair(name, value))
    }
}

/// A body; valid UTF-8 is stored as text, so that people can read it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Body {
    Text(String),
    Base64(String),
}

/// Method, URL, and the digest of the body. Headers are not compared, since they may differ from run to run.
type Key = (String, String, String);

fn key(exchange: &Exchange<'_>) -> Key {
    let body = exchange.body();
    let sent = if body.is_empty() { String::new() } else { hex::encode(Sha256::digest(body)) };
    (exchange.method().to_owned(), exchange.url().to_string(), sent)
}

tokio::task_local! {
    static PENDING: Pending;
}

/// The exchange of a request that has no end yet, as the line that says so.
type Pending = Arc<Mutex<Option<(Arc<Writer>, Line)>>>;

fn set(pending: &Pending, exchange: Option<(Arc<Writer>, Line)>) -> Option<(Arc<Writer>, Line)> {
    std::mem::replace(&mut pending.lock().unwrap_or_else(PoisonError::into_inner), exchange)
}

/// Awaits a request with its redirects. If its time is over before an exchange has ended, that is recorded.
pub(crate) async fn request<T>(request: impl Future<Output = Result<T, HttpError>>) -> Result<T, HttpError> {
    let pending = Pending::default();
    let result = PENDING.scope(Arc::clone(&pending), request).await;
    if let Err(error) = &result
        && let Some((writer, mut line)) = set(&pending, None)
    {
        if !matches!(error, HttpError::Timeout(_)) {
            line.outcome = Outcome::Error(error.clone());
        }
        add(&writer, &line)?;
    }
    result
}

/// A gap in the recording would otherwise only be noticed in a replay, when it can no longer be fixed.
fn add(writer: &Writer, line: &Line) -> Result<(), HttpError> {
    writer.add(line).map_err(|error| HttpError::Connect(format!("the answer came, and could not be recorded: {error}")))
}

/// Sends requests over the network and records the results.
#[derive(Debug)]
pub(crate) struct Recorder(Arc<Writer>);

impl Recorder {
    pub(crate) fn create(directory: &Path) -> Result<Self, Error> {
        Writer::create(&directory.join(FILE)).map(|writer| Self(Arc::new(writer)))
    }
}

impl Transport for Recorder {
    async fn exchange(&self, exchange: Exchange<'_>) -> Result<Response, HttpError> {
        let (origin, (method, url, sent)) = (Origin::current(), key(&exchange));
        // In a replay, this error makes the time of the request be over.
        let outcome = Outcome::Error(HttpError::Timeout(String::new()));
        let mut line = Line { origin, method, url, sent, outcome };
        let pending = PENDING.try_with(Arc::clone).unwrap_or_default();
        set(&pending, Some((Arc::clone(&self.0), line.clone())));
        let result = exchange.send().await;
        set(&pending, None);
        line.outcome = match &result {
            Ok(response) => Outcome::Response(Recorded {
                status: response.status,
                headers: response.headers.clone(),
                body: match std::str::from_utf8(&response.body) {
                    Ok(text) => Body::Text(text.to_owned()),
                    Err(_) => Body::Base64(STANDARD.encode(&response.body)),
                },
                truncated: response.truncated,
            }),
            Err(error) => Outcome::Error(error.clone()),
        };
        add(&self.0, &line)?;
        result
    }
}

/// Answers requests from a recording, and sends nothing.
#[derive(Debug)]
pub(crate) struct Replayer(Answers<Key, Line>);

impl Replayer {
    pub(crate) fn open(directory: &Path) -> Result<Self, Error> {
        let key = |line: &Line| ((line.method.clone(), line.url.clone(), line.sent.clone()), line.origin);
        Answers::open(&directory.join(FILE), key, Line::check).map(Self)
    }
}

impl Transport for Replayer {
    async fn exchange(&self, exchange: Exchange<'_>) -> Result<Response, HttpError> {
        let Some(line) = self.0.next(&key(&exchange), Origin::current()) else {
            return Err(HttpError::Connect(format!(
                "{} {}: the recording has no answer to this request, or no further one\n\
                 hint: ask for what was asked for when it was made",
                exchange.method(),
                exchange.url()
            )));
        };
        match line.outcome {
            Outcome::Error(error) => Err(error),
            Outcome::Response(Recorded { status, headers, body, truncated }) => {
                let body = match body {
                    Body::Text(text) => text.into_bytes(),
                    Body::Base64(text) => STANDARD
                        .decode(text)
                        .map_err(|error| HttpError::Protocol(format!("the recording is damaged: {error}")))?,
                };
                let mut response = Response::new(status, "", body);
                (response.headers, response.truncated) = (headers, truncated);
                Ok(response)
            }
        }
    }
}
