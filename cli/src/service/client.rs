//! Requests to a server, over its socket or over TCP.

use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use isolette::Error;
use reqwest::{
    Body, Method, RequestBuilder, Response, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue},
};
use serde::Serialize;
use serde_json::Value;
use sse_stream::SseStream;
use tokio::net::UnixStream;

use super::{
    Failure,
    failure::{FailureBody, unexpected},
    place::Place,
    place::ServerOptions,
    start,
};

/// Time limit for a connection.
const CONNECTING: Duration = Duration::from_secs(10);

/// Maximum length of a response in bytes. Files have 64 MiB at most by default.
const RESPONSE: usize = 1 << 30;

/// A server. Clones use the same connections.
#[derive(Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    authorization: Option<HeaderValue>,
}

/// An event of a run.
pub(super) struct RunEvent {
    pub(super) name: String,
    pub(super) data: Value,
}

impl Client {
    /// Finds the server, and starts that of this user if it does not run.
    pub(super) async fn connect(options: &ServerOptions) -> Result<Self, Failure> {
        let place = options.place()?;
        if let Place::Own(socket) = &place {
            start::ensure(socket).await?;
        }
        Self::of(place)
    }

    /// Finds the server; that of this user only if it runs.
    pub(super) async fn running(options: &ServerOptions) -> Result<Option<Self>, Failure> {
        match options.place()? {
            Place::Own(socket) if UnixStream::connect(&socket).await.is_err() => Ok(None),
            place => Self::of(place).map(Some),
        }
    }

    fn of(place: Place) -> Result<Self, Failure> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECTING)
            // The token must only reach the named server.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none());
        builder = match isolette_http::tls_configuration() {
            Ok(tls) => builder.tls_backend_preconfigured(tls),
            Err(error) if matches!(&place, Place::Http { url, .. } if url.starts_with("https:")) => {
                return Err(error.into());
            }
            Err(_) => builder,
        };
        let (base, authorization) = match place {
            Place::Own(socket) | Place::Socket(socket) => {
                builder = builder.unix_socket(socket);
                ("http://localhost".to_owned(), None)
            }
            Place::Http { url, token } => {
                let value = HeaderValue::from_str(&format!("Bearer {}", token.expose()));
                let mut value = value.map_err(|_| Failure::usage("the token cannot be sent", "use ASCII"))?;
                value.set_sensitive(true);
                (url, Some(value))
            }
        };
        let http = builder.build().map_err(|error| Failure::new("Io", error.to_string(), ""))?;
        Ok(Self { http, base, authorization })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.authorization {
            Some(authorization) => request.header(AUTHORIZATION, authorization.clone()),
            None => request,
        }
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let bytes = whole(response).await?;
        match serde_json::from_slice::<FailureBody>(&bytes) {
            Ok(body) => Err(body.error),
            Err(_) => Err(unexpected(format!("the server answered with status {status}"))),
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        let why = std::error::Error::source(error).map_or_else(|| error.to_string(), |source| root(source).to_string());
        Failure::new(
            "Unavailable",
            format!("the server cannot be reached: {why}"),
            "check --server and ISOLETTE_SERVER, or start one: isolette serve",
        )
    }

    async fn json(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let response = self.send(request).await?;
        if response.status() == StatusCode::NO_CONTENT {
            return Ok(Value::Null);
        }
        let bytes = whole(response).await?;
        serde_json::from_slice(&bytes).map_err(|error| unexpected(format!("the response is not JSON: {error}")))
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.json(self.request(Method::GET, path)).await
    }

    pub(super) async fn post(&self, path: &str, body: &impl Serialize) -> Result<Value, Failure> {
        self.json(self.with_json(Method::POST, path, body)?).await
    }

    pub(super) async fn patch(&self, path: &str, body: &impl Serialize) -> Result<Value, Failure> {
        self.json(self.with_json(Method::PATCH, path, body)?).await
    }

    pub(super) async fn delete(&self, path: &str) -> Result<(), Failure> {
        self.json(self.request(Method::DELETE, path)).await.map(drop)
    }

    fn with_json(&self, method: Method, path: &str, body: &impl Serialize) -> Result<RequestBuilder, Failure> {
        let text = serde_json::to_vec(body).map_err(|error| Failure::usage(error.to_string(), ""))?;
        Ok(self.request(method, path).header(CONTENT_TYPE, "application/json").body(text))
    }

    pub(super) async fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        whole(self.send(self.request(Method::GET, path)).await?).await
    }

    pub(super) async fn put(&self, path: &str, bytes: impl Into<Body>) -> Result<(), Failure> {
        self.send(self.request(Method::PUT, path).body(bytes)).await.map(drop)
    }

    /// Begins a run, and returns its events.
    pub(super) async fn run_events(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<impl Stream<Item = Result<RunEvent, Failure>> + Unpin + use<>, Failure> {
        let request = self.with_json(Method::POST, path, body)?.header(ACCEPT, "text/event-stream");
        Ok(events(self.send(request).await?))
    }

    /// The events of a run that was begun before.
    pub(super) async fn events(
        &self,
        run: &str,
    ) -> Result<impl Stream<Item = Result<RunEvent, Failure>> + Unpin + use<>, Failure> {
        let request = self.request(Method::GET, &format!("/v1/runs/{}/events", part(run)));
        Ok(events(self.send(request.header(ACCEPT, "text/event-stream")).await?))
    }
}

fn events(response: Response) -> impl Stream<Item = Result<RunEvent, Failure>> + Unpin + use<> {
    let broken = |error: String| unexpected(format!("the connection to the server broke off: {error}"));
    let stream = SseStream::from_bytes_stream(response.bytes_stream()).filter_map(move |event| async move {
        let event = match event {
            Ok(event) => event,
            Err(error) => return Some(Err(broken(error.to_string()))),
        };
        let data = serde_json::from_str(event.data.as_deref()?);
        let name = event.event.unwrap_or_default();
        Some(data.map(|data| RunEvent { name, data }).map_err(|error| broken(error.to_string())))
    });
    Box::pin(stream)
}

async fn whole(mut response: Response) -> Result<Vec<u8>, Failure> {
    let broken = |error: reqwest::Error| unexpected(format!("the response broke off: {}", root(&error)));
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if bytes.len() + chunk.len() > RESPONSE {
            return Err(unexpected(format!("the response has more than {RESPONSE} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn root<'a>(error: &'a (dyn std::error::Error + 'static)) -> &'a (dyn std::error::Error + 'static) {
    std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error)
}

/// A part of a path.
pub(super) fn part(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Does the work of a command.
pub(super) fn on_runtime<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|source| Error::Io { context: "cannot start a runtime".into(), source })?;
    let done = runtime.block_on(work);
    // Standard input may be waited for.
    runtime.shutdown_background();
    done
}
