//! One call: from arguments to a request, from a response to a value.
//!
//! What a program passes is data: it ends up percent-encoded in the place that the document names, and cannot lead to
//! another path, another host or another header. Secrets are put in here, after everything else, and taken out of
//! whatever comes back.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_abi::http::HttpError;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use url::Url;

use super::{
    body::Body,
    document::cut,
    parameter::{Location, Parameter, Part, template},
    response,
    security::Credential,
    server::Server,
    style::encode,
};
use crate::{
    Redaction, Secret,
    capability::http::{Hop, Request},
};

/// Redirects within the base URL.
const REDIRECTS: u32 = 5;
/// Bytes of an answer that an error shows.
const SHOWN: usize = 4 << 10;
/// Everything that is known of an operation before it is called.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) server: Arc<Server>,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Body>,
    pub(super) accept: String,
    pub(super) credentials: Vec<Credential>,
    pub(super) lacking: Option<String>,
    /// Sent with every request, unless the operation has a parameter of that name.
    pub(super) headers: Arc<Vec<(String, Secret)>>,
    pub(super) time: Duration,
    /// Whether answers other than 2xx are values.
    pub(super) errors_are_values: bool,
}

/// A request that is ready but for its secrets.
struct Draft {
    url: Url,
    headers: Vec<(String, String)>,
    cookies: Vec<String>,
    body: Vec<u8>,
}

impl Endpoint {
    /// Makes the call. The error is for whoever wrote the program.
    pub(super) async fn call(self: Arc<Self>, arguments: Value) -> Result<Value, String> {
        let Value::Object(arguments) = arguments else {
            return Err("the arguments must be an object, one field for each parameter".into());
        };
        let draft = self.draft(&arguments)?;
        let Ready { url, headers, body } = self.with_secrets(draft);
        let pairs: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.expose())).collect();
        let request = Request {
            method: self.method,
            url: url.as_str(),
            headers: &pairs,
            body: body.into(),
            timeout: Some(self.time),
            redirects: REDIRECTS,
        };
        let now = Instant::now();
        // The run's own deadline drops this future.
        let deadline = now.checked_add(self.time.saturating_mul(2)).unwrap_or(now);
        let mut observe = |hop: &Hop<'_>| {
            let origin = hop.url.origin().ascii_serialization();
            tracing::debug!(method = hop.method, origin, "request of a tool");
            Ok(None)
        };
        let redaction = self.redaction();
        let answer = self.server.http.send(request, deadline, &mut observe).await;
        let answer = answer.map_err(|error| redaction.text(&explain(error)))?;
        if answer.truncated {
            return Err(format!(
                "the response is longer than {} bytes, the limit\nhint: ask for less, such as fewer items a page",
                answer.body.len()
            ));
        }
        let content_type =
            answer.headers.iter().find(|(name, _)| name == "content-type").map(|(_, value)| value.as_str());
        let value = redaction.value(response::decode(content_type, answer.body));
        if (200..300).contains(&answer.status) {
            return Ok(value);
        }
        self.failed(answer.status, value)
    }

    fn draft(&self, arguments: &Map<String, Value>) -> Result<Draft, String> {
        let given = |parameter: &Parameter| arguments.get(&parameter.argument);
        let mut path = String::new();
        for part in template(&self.path) {
            match part {
                Part::Literal(text) => path.push_str(text),
                Part::Variable(name) => {
                    let parameter = self
                        .parameters
                        .iter()
                        .find(|parameter| parameter.location == Location::Path && parameter.name == name);
                    let text = parameter.and_then(|parameter| Some(parameter.expand(given(parameter)?)));
                    match text.filter(|text| !text.is_empty()) {
                        Some(text) => path.push_str(&text),
                        None => return Err(format!("the argument `{name}` is part of the path and must not be empty")),
                    }
                }
            }
        }
        if climbs(path.split(['?', '#']).next().unwrap_or_default()) {
            return Err("an argument would lead to another path: `.` and `..` cannot be parts of one".into());
        }
        let mut url = Url::parse(&format!("{}{path}", self.server.base))
            .map_err(|error| format!("the URL of the operation cannot be used: {error}"))?;
        url.set_fragment(None);

        let mut pairs = Vec::new();
        let mut headers = Vec::new();
        let mut cookies = Vec::new();
        for parameter in &self.parameters {
            let Some(value) = given(parameter).filter(|value| !value.is_null() || parameter.required) else {
                continue;
            };
            match parameter.location {
                Location::Path => {}
                Location::Query => parameter.pairs(value, &mut pairs),
                Location::Header => headers.push((parameter.name.clone(), parameter.expand(value))),
                Location::Cookie => {
                    cookies.push(format!("{}={}", encode(&parameter.name, false), parameter.expand(value)))
                }
            }
        }
        add_to_query(&mut url, pairs.into_iter().map(|(key, value)| format!("{key}={value}")));
        headers.push(("accept".into(), self.accept.clone()));
        let mut bytes = Vec::new();
        if let (Some(body), Some(value)) = (&self.body, arguments.get("body")) {
            let (media, content) = body.encode(value)?;
            headers.push(("content-type".into(), media));
            bytes = content;
        }
        Ok(Draft { url, headers, cookies, body: bytes })
    }

    fn with_secrets(&self, draft: Draft) -> Ready {
        let Draft { mut url, headers, mut cookies, body } = draft;
        let mut headers: Vec<(String, Secret)> =
            headers.into_iter().map(|(name, value)| (name, Secret::new(value))).collect();
        for credential in &self.credentials {
            let value = credential.value.expose();
            match credential.location {
                Location::Query => {
                    add_to_query(
                        &mut url,
                        [format!("{}={}", encode(&credential.name, false), encode(value, false))].into_iter(),
                    );
                }
                Location::Cookie => {
                    cookies.push(format!("{}={}", encode(&credential.name, false), encode(value, false)))
                }
                Location::Header | Location::Path => headers.push((credential.name.clone(), credential.value.clone())),
            }
        }
        if !cookies.is_empty() {
            headers.push(("cookie".into(), Secret::new(cookies.join("; "))));
        }
        for (name, value) in self.headers.iter() {
            if name.eq_ignore_ascii_case("accept") {
                headers.retain(|(other, _)| other != "accept");
            }
            if !headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                headers.push((name.clone(), value.clone()));
            }
        }
        Ready { url, headers, body }
    }

    /// An answer that is no success.
    fn failed(&self, status: u16, body: Value) -> Result<Value, String> {
        let reason = hyper::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
        let error = format!("HTTP {status}{}{}", if reason.is_some() { " " } else { "" }, reason.unwrap_or_default());
        if self.errors_are_values {
            return Ok(json!({"status": status, "error": error, "body": body}));
        }
        let body = match &body {
            Value::Null => String::new(),
            Value::String(text) => format!(": {}", cut(text.trim(), SHOWN)),
            value => format!(": {}", cut(&value.to_string(), SHOWN)),
        };
        let hint = match &self.lacking {
            Some(schemes) if matches!(status, 401 | 403) => {
                format!("\nhint: the operation needs {schemes}, and the host holds no secret for it")
            }
            _ => String::new(),
        };
        Err(format!("{error}{body}{hint}"))
    }

    /// What a service repeats of the secrets that this operation sends must not come to the program.
    fn redaction(&self) -> Redaction {
        let credentials = self.credentials.iter().flat_map(|credential| [&credential.value, &credential.secret]);
        let headers = self.headers.iter().filter(|(name, _)| !is_public(name)).map(|(_, value)| value);
        Redaction::new(credentials.chain(headers).cloned())
    }
}

/// What went wrong, in words for whoever wrote the program: policies of networks are not theirs.
fn explain(error: HttpError) -> String {
    match error {
        HttpError::Denied(text) => {
            let what = text.lines().next().unwrap_or_default();
            let hint = if what.starts_with("after a redirect") {
                "tools follow redirects only below the service's base URL"
            } else {
                "whoever lends the tool decides which addresses it may reach"
            };
            format!("{what}\nhint: {hint}")
        }
        HttpError::Dns(text)
        | HttpError::Connect(text)
        | HttpError::Tls(text)
        | HttpError::Timeout(text)
        | HttpError::TooLarge(text)
        | HttpError::Protocol(text)
        | HttpError::Budget(text) => text,
    }
}

/// A request with its secrets.
struct Ready {
    url: Url,
    headers: Vec<(String, Secret)>,
    body: Vec<u8>,
}

/// Headers whose values are words of the protocol and may stand in any answer.
fn is_public(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    header.starts_with("accept") || header == "user-agent" || header.contains("version")
}

fn add_to_query(url: &mut Url, pairs: impl Iterator<Item = String>) {
    let pairs: Vec<String> =
        url.query().map(str::to_owned).filter(|query| !query.is_empty()).into_iter().chain(pairs).collect();
    if !pairs.is_empty() {
        url.set_query(Some(&pairs.join("&")));
    }
}

/// Whether a server could read a path as one that leads elsewhere, decoding it once or twice.
fn climbs(path: &str) -> bool {
    let once = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let twice = percent_decode_str(&once).decode_utf8_lossy().into_owned();
    [path, &once, &twice]
        .iter()
        .any(|path| path.split(['/', '\\']).any(|segment| matches!(segment.split(';').next(), Some("." | ".."))))
}
