mod bodies;
mod certificates;
mod connections;
mod hooks;
mod hostile;
mod overrides;
mod redirects;
mod requests;
mod resolution;
mod secrets;
mod server;
mod tls;

use std::{
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use isolette_abi::http::HttpError;

use super::{Http, HttpLimits, NoHooks, Request, Response, resolve::Resolve};
use isolette_policy::network::Network;

/// For tests in which no name may be resolved.
struct Never;

impl Resolve for Never {
    fn resolve(&self, name: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
        panic!("{name} was resolved")
    }
}

fn allowlist(rules: &[String]) -> Network {
    Network::Allowlist(rules.iter().map(|rule| rule.parse().unwrap_or_else(|error| panic!("{error}"))).collect())
}

fn http(rules: &[String]) -> Http {
    limited(rules, HttpLimits::default())
}

fn limited(rules: &[String], limits: HttpLimits) -> Http {
    Http::with(allowlist(rules), limits, Arc::new(Never), Vec::new())
}

fn get(url: &str) -> Request<'_> {
    Request { method: "GET", url, headers: &[], body: Bytes::new(), timeout: None, redirects: 5 }
}

fn post<'a>(url: &'a str, body: &'static [u8]) -> Request<'a> {
    Request { method: "POST", body: Bytes::from_static(body), ..get(url) }
}

async fn send(http: &Http, request: Request<'_>) -> Result<Response, HttpError> {
    http.send(request, Instant::now() + Duration::from_secs(600), &NoHooks).await
}

async fn expect(http: &Http, request: Request<'_>) -> Response {
    send(http, request).await.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Returns the case of an error and its message.
async fn refused(http: &Http, request: Request<'_>) -> (&'static str, String) {
    match send(http, request).await {
        Ok(response) => panic!("there is a response: {response:?}"),
        Err(HttpError::Denied(text)) => ("denied", text),
        Err(HttpError::Dns(text)) => ("dns", text),
        Err(HttpError::Connect(text)) => ("connect", text),
        Err(HttpError::Tls(text)) => ("tls", text),
        Err(HttpError::Timeout(text)) => ("timeout", text),
        Err(HttpError::TooLarge(text)) => ("too-large", text),
        Err(HttpError::Protocol(text)) => ("protocol", text),
        Err(HttpError::Budget(text)) => ("budget", text),
    }
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}
