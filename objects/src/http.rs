//! Requests to a bucket, with the TLS of the host.

use std::{error::Error, fmt, time::Duration};

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector as Connect, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
        HttpResponseBody, HttpService,
    },
};

use crate::{ObjectsError, time::time_for};

/// Time for a connection.
const CONNECTING: Duration = Duration::from_secs(5);

/// A client of HTTP/1.1 that keeps connections.
#[derive(Clone)]
pub(crate) struct Http(Client<HttpsConnector<HttpConnector>, HttpRequestBody>);

impl Http {
    pub(crate) fn new() -> Result<Self, ObjectsError> {
        let failed = |error| ObjectsError::failed("use", "https", format!("{error}"));
        let mut tls = isolette_http::tls_configuration().map_err(failed)?;
        // The connector sets its own.
        tls.alpn_protocols.clear();
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECTING));
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
        Ok(Self(Client::builder(TokioExecutor::new()).build(connector.wrap_connector(tcp))))
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Http")
    }
}

impl Connect for Http {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Http {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        // A request that takes longer is made again. Its body is sent meanwhile.
        let time = time_for(request.body().content_length() as u64);
        let answered = tokio::time::timeout(time, self.0.request(request)).await;
        let response = answered.map_err(|late| HttpError::new(HttpErrorKind::Timeout, late))?.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
            HttpError::new(kind, Causes(error.into()))
        })?;
        let body = |error| HttpError::new(HttpErrorKind::Interrupted, error);
        Ok(response.map(|response| HttpResponseBody::new(response.map_err(body))))
    }
}

/// An error with its causes, since the outermost one says too little.
#[derive(Debug)]
struct Causes(Box<dyn Error + Send + Sync>);

impl fmt::Display for Causes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(formatter, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl Error for Causes {}
