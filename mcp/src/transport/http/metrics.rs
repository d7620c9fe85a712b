//! The metrics server, at an address of its own that clients of the sandbox do not need.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use isolette::{CancellationToken, Metrics, Secret};
use isolette_listener::access::{Body, has_token, is_local, is_plain, refuse};
use tokio::net::TcpListener;

use super::HttpError;

/// Maximum number of connections; there are few scrapers.
const CONNECTIONS: usize = 16;

/// Time limit of one request, from the first byte to the last.
const TIME: Duration = Duration::from_secs(10);

/// A bound server, which answers `GET /metrics` once it is run.
#[derive(Debug)]
pub struct MetricsServer {
    metrics: Metrics,
    token: Option<Secret>,
    listener: TcpListener,
    address: SocketAddr,
}

impl MetricsServer {
    /// Binds the address; with port 0 the system picks a port. With a token, requests must have it as bearer token.
    ///
    /// # Errors
    /// [`HttpError`] if the address is not available, or if it is not a loopback address and there is no token.
    pub async fn bind(metrics: Metrics, address: SocketAddr, token: Option<Secret>) -> Result<Self, HttpError> {
        if !address.ip().is_loopback() && token.is_none() {
            return Err(HttpError::Unprotected(address));
        }
        let failed = |source| HttpError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { metrics, token, listener, address })
    }

    /// The URL of the metrics.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/metrics", self.address)
    }

    /// Answers requests until `shutdown` is cancelled.
    pub async fn run(self, shutdown: CancellationToken) {
        let accept = async {
            let mut open = tokio::task::JoinSet::new();
            loop {
                while open.try_join_next().is_some() {}
                if open.len() >= CONNECTIONS {
                    open.join_next().await;
                }
                match self.listener.accept().await {
                    Ok((stream, _)) => {
                        let (metrics, token) = (self.metrics.clone(), self.token.clone());
                        open.spawn(async move {
                            let service = service_fn(move |request| {
                                let response = answer(&metrics, token.as_ref(), &request);
                                async move { Ok::<_, Infallible>(response) }
                            });
                            let connection = http1::Builder::new()
                                .timer(TokioTimer::new())
                                .header_read_timeout(TIME)
                                .keep_alive(false)
                                .serve_connection(TokioIo::new(stream), service);
                            let _ = tokio::time::timeout(TIME, connection).await;
                        });
                    }
                    // The process has no more descriptors, or the client has already disconnected. Both are temporary.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        };
        tokio::select! {
            () = accept => {}
            () = shutdown.cancelled() => {}
        }
    }
}

fn answer(metrics: &Metrics, token: Option<&Secret>, request: &Request<Incoming>) -> Response<Body> {
    if let Err((status, text)) = is_plain(request) {
        return refuse(status, text);
    }
    // Without a token only this machine is served, and no requests of web pages in its browsers.
    if token.is_none() && !is_local(request.headers()) {
        return refuse(StatusCode::FORBIDDEN, "Forbidden: Host is not this machine\n");
    }
    if token.is_some_and(|token| !has_token(request.headers(), token)) {
        return refuse(StatusCode::UNAUTHORIZED, "Unauthorized: bring the bearer token that the operator has set\n");
    }
    if request.uri().path() != "/metrics" {
        return refuse(StatusCode::NOT_FOUND, "Not Found: the figures are at /metrics\n");
    }
    let mut response = Response::new(Full::from(metrics.text()).boxed());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(Metrics::CONTENT_TYPE));
    response
}
