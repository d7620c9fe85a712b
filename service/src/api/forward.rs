//! Passes requests on to other replicas.

use std::sync::Arc;

use axum::{body::Body, extract::Request, response::Response};
use futures_util::{StreamExt as _, stream};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use http_body_util::BodyExt as _;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;
use std::{sync::OnceLock, time::Duration};

use super::addressed::{ADDRESSED_AS, AddressedAs};
use crate::{
    failure::Failure,
    replicas::{Holder, Replicas},
    shared::Shared,
};

/// The header of a request that was passed on, with the replica that did so. Such a request is not passed on again.
const PASSED_ON: HeaderName = HeaderName::from_static("isolette-passed-on");

/// Time for a connection to another replica.
const CONNECTING: Duration = Duration::from_secs(2);

/// Time for a list of another replica.
const LISTING: Duration = Duration::from_secs(10);

/// Maximum length of a list of another replica in bytes.
const LIST: usize = 64 << 20;

/// Headers about one connection (RFC 9110, section 7.6.1).
const OF_CONNECTION: [HeaderName; 6] =
    [header::CONNECTION, header::HOST, header::TE, header::TRAILER, header::TRANSFER_ENCODING, header::UPGRADE];

/// Whether a request was passed on by another replica.
pub(crate) fn is_passed_on(headers: &HeaderMap) -> bool {
    headers.contains_key(PASSED_ON)
}

fn client() -> &'static Client<HttpConnector, Body> {
    static CLIENT: OnceLock<Client<HttpConnector, Body>> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECTING));
        connector.set_nodelay(true);
        Client::builder(TokioExecutor::new()).build(connector)
    })
}

/// Whether a server answers at an address, with any response. Checked before a request is passed on, since that is not repeated.
pub(super) async fn answers(url: &str) -> bool {
    let asked = async {
        let request = http::Request::get(uri(url, "/v1/health")?).body(Body::empty());
        client()
            .request(request.map_err(|error| unreachable(url, &error))?)
            .await
            .map_err(|error| unreachable(url, &error))
    };
    matches!(tokio::time::timeout(CONNECTING, asked).await, Ok(Ok(_)))
}

/// Passes a request on, and returns the response as it comes. Fails if the replica is gone before it has answered.
pub(super) async fn forward(shared: &Arc<Shared>, holder: Holder, request: Request) -> Result<Response, Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Err(unreachable(&holder.url, "it has no store")) };
    let response = tokio::select! {
        biased;
        response = pass_on(replicas, &holder.url, request) => response?,
        () = replicas.until_gone(&holder.replica) => return Err(unreachable(&holder.url, "it is gone")),
    };
    let (head, body) = response.into_parts();
    Ok(Response::from_parts(head, until_gone(shared, holder, body)))
}

/// A body that breaks off if the replica that sends it is gone.
fn until_gone(shared: &Arc<Shared>, holder: Holder, body: Body) -> Body {
    let shared = Arc::clone(shared);
    let gone = async move {
        match &shared.resources.replicas {
            Some(replicas) => replicas.until_gone(&holder.replica).await,
            None => std::future::pending().await,
        }
    };
    let parts = (body.into_data_stream(), Some(Box::pin(gone)));
    Body::from_stream(stream::unfold(parts, |(mut body, gone)| async move {
        // Nothing follows a failure.
        let mut gone = gone?;
        tokio::select! {
            biased;
            part = body.next() => match part? {
                Ok(part) => Some((Ok(part), (body, Some(gone)))),
                Err(error) => Some((Err(error), (body, None))),
            },
            () = &mut gone => Some((Err(axum::Error::new("the server that sends the response is gone")), (body, None))),
        }
    }))
}

async fn pass_on(replicas: &Replicas, url: &str, mut request: Request) -> Result<Response, Failure> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = uri(url, path)?;
    without_connection(request.headers_mut());
    let addressed_as = request.extensions().get::<AddressedAs>().and_then(|host| HeaderValue::from_str(&host.0).ok());
    if let Some(host) = addressed_as {
        request.headers_mut().insert(ADDRESSED_AS, host);
    }
    request.headers_mut().insert(PASSED_ON, marker(replicas));
    // The length and the body are as they were received.
    let response = client().request(request).await.map_err(|error| unreachable(url, &error))?;
    let (mut head, body) = response.into_parts();
    without_connection(&mut head.headers);
    Ok(Response::from_parts(head, Body::new(body)))
}

/// Asks all other replicas for a list. Returns the entries, which are in `field` of the responses.
pub(super) async fn gather(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    path: &str,
    field: &str,
) -> Result<Vec<Value>, Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(Vec::new()) };
    if is_passed_on(headers) {
        return Ok(Vec::new());
    }
    let mut entries = Vec::new();
    for (_, member) in replicas.others().await? {
        let mut request = http::Request::get(uri(&member.url, path)?);
        for (name, value) in headers.iter().filter(|(name, _)| **name == header::AUTHORIZATION || *name == "x-api-key")
        {
            request = request.header(name, value);
        }
        let request = request.header(PASSED_ON, marker(replicas)).body(Body::empty());
        let request = request.map_err(|error| unreachable(&member.url, &error))?;
        let asked = async {
            let response = client().request(request).await.map_err(|error| unreachable(&member.url, &error))?;
            let status = response.status();
            let body = http_body_util::Limited::new(response.into_body(), LIST).collect().await;
            let body = body.map_err(|error| unreachable(&member.url, &*error))?.to_bytes();
            match serde_json::from_slice::<Value>(&body) {
                Ok(Value::Object(mut body)) if status.is_success() => Ok(body.remove(field)),
                Ok(list @ Value::Array(_)) if status.is_success() => Ok(Some(list)),
                _ => Err(unreachable(&member.url, &format!("status {status}"))),
            }
        };
        let late = |_| unreachable(&member.url, &format!("no answer within {LISTING:?}"));
        if let Some(Value::Array(found)) = tokio::time::timeout(LISTING, asked).await.map_err(late)?? {
            entries.extend(found);
        }
    }
    Ok(entries)
}

fn uri(url: &str, path: &str) -> Result<Uri, Failure> {
    format!("{}{path}", url.trim_end_matches('/')).parse().map_err(|error| unreachable(url, &error))
}

fn marker(replicas: &Replicas) -> HeaderValue {
    HeaderValue::from_str(&replicas.id).unwrap_or(HeaderValue::from_static("replica"))
}

fn without_connection(headers: &mut HeaderMap) {
    for name in OF_CONNECTION {
        headers.remove(name);
    }
}

fn unreachable(url: &str, error: &(impl std::fmt::Display + ?Sized)) -> Failure {
    let message = format!("the server {url}, which has what was asked for, does not answer: {error}");
    let hint = "it may have done what was asked for: look, and send the request again";
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "Unavailable", message, hint)
}
