//! One call: sends a request and converts the response to a value or an error. Secrets are removed from everything that
//! is returned.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use isolette_abi::http::HttpError;
use serde_json::{Value, json};

use super::{document::cut, endpoint::Endpoint, request::Ready, response};
use isolette_http::{Agreement, Hop, NoHooks, Request, RequestHooks};
use isolette_policy::{Redaction, network::Permit};

/// Maximum number of redirects within the base URL.
const REDIRECTS: u32 = 5;
/// Maximum number of bytes of a response that an error shows.
const SHOWN: usize = 4 << 10;
impl Endpoint {
    /// Performs the call. The error is written for the author of the program.
    pub(super) async fn call(self: Arc<Self>, arguments: Value) -> Result<Value, String> {
        let Value::Object(arguments) = arguments else {
            return Err("the arguments must be an object, one field for each parameter".into());
        };
        let Ready { url, headers, body } = self.request(&arguments)?;
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
        // The deadline of the run drops this future.
        let deadline = now.checked_add(self.time.saturating_mul(2)).unwrap_or(now);
        let redaction = self.redaction();
        let hooks = RedirectHooks::default();
        let answer = self.server.http.send(request, deadline, &hooks).await;
        let answer = answer.map_err(|error| redaction.text(&explain(error, hooks.refused_a_redirect())))?;
        if answer.truncated {
            return Err(format!(
                "the response is longer than {} bytes, the limit\nhint: ask for less, such as fewer items a page",
                answer.body.len()
            ));
        }
        let content_type = answer
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
            .map(|(_, value)| value.as_str());
        let is_success = (200..300).contains(&answer.status);
        let value = response::decode(content_type, answer.body, is_success)
            .map_err(|why| redaction.text(&format!("the response cannot be read: {why}")))?;
        let value = redaction.value(value);
        if is_success {
            return Ok(value);
        }
        self.failed(answer.status, value)
    }

    /// Handles a response that is not a success.
    fn failed(&self, status: u16, body: Value) -> Result<Value, String> {
        let reason = http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
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

    /// Secrets that this operation sends must not reach the program if a service echoes them.
    fn redaction(&self) -> Redaction {
        let credentials = self.credentials.iter().flat_map(|credential| [&credential.value, &credential.secret]);
        let headers = self.headers.iter().filter(|(name, _)| !is_public(name)).map(|(_, value)| value);
        Redaction::new(credentials.chain(headers).cloned())
    }
}

/// Records whether the policy denied a request because of a redirect.
#[derive(Default)]
struct RedirectHooks(AtomicBool);

impl RedirectHooks {
    fn refused_a_redirect(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl RequestHooks for RedirectHooks {
    fn before_send(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        NoHooks.before_send(hop, permit)
    }

    fn refused(&self, hop: &Hop<'_>) {
        self.0.store(hop.redirects > 0, Ordering::Relaxed);
    }
}

/// Describes an error for the author of the program, without details of network policies.
fn explain(error: HttpError, is_redirect: bool) -> String {
    match error {
        HttpError::Denied(text) => {
            let what = text.lines().next().unwrap_or_default();
            let hint = if is_redirect {
                "tools follow redirects only below the service's base URL"
            } else {
                "the operator or embedder that registers the tool decides which addresses it may reach"
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

/// Headers whose values are terms of the protocol and may occur in any response, so they are not redacted.
fn is_public(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    header.starts_with("accept") || header == "user-agent" || header.contains("version")
}
