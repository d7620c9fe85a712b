//! Traces: writes events of the library to standard error, and exports spans to an OpenTelemetry collector.

use std::time::Duration;

use isolette::Error;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::{
    Layer as _, Registry, filter::LevelFilter, filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};
use url::Url;

use crate::warnings::Warning;

/// Timeout of one export.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(10);

/// The target of the library's own spans.
const LIBRARY: &str = "isolette";

type Output = Box<dyn tracing_subscriber::Layer<Registry> + Send + Sync>;

/// The subscriber for traces. It must be kept as long as anything is traced, and then be finished.
pub(crate) struct Telemetry {
    provider: Option<SdkTracerProvider>,
    _runtime: Option<Runtime>,
}

impl Telemetry {
    /// Writes warnings, or all requested levels, to standard error; exports spans to a collector, if one is named.
    pub(crate) fn start(verbose: u8, collector: Option<&Url>) -> Result<Self, Error> {
        let stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
        let shown: Output = match verbose {
            0 => stderr.event_format(Warning).with_filter(LevelFilter::WARN).boxed(),
            1 => stderr.with_filter(LevelFilter::DEBUG).boxed(),
            _ => stderr.with_filter(LevelFilter::TRACE).boxed(),
        };
        let mut outputs = vec![shown];
        let (mut provider, mut runtime) = (None, None);
        if let Some(collector) = collector {
            let started = Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let started = started.map_err(|source| Error::Io { context: "cannot start threads".into(), source })?;
            let exporter = exporter(collector, &started)?;
            let resource = Resource::builder().with_service_name("isolette").build();
            let made = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
            // Only the library's own spans: spans of the HTTP stack would describe the export itself.
            let own = Targets::new().with_target(LIBRARY, LevelFilter::INFO);
            let layer = tracing_opentelemetry::layer().with_tracer(made.tracer(LIBRARY)).with_filter(own);
            outputs.push(layer.boxed());
            (provider, runtime) = (Some(made), Some(started));
        }
        tracing_subscriber::registry().with(outputs).init();
        Ok(Self { provider, _runtime: runtime })
    }

    /// Exports the remaining spans. Spans that the collector does not accept are lost; audits are for complete records.
    pub(crate) fn finish(self) {
        if let Some(provider) = &self.provider
            && let Err(error) = provider.shutdown()
        {
            say!("warning: not all traces were delivered: {error}");
        }
    }
}

fn exporter(collector: &Url, runtime: &Runtime) -> Result<SpanExporter, Error> {
    let bad = |message: String| Error::InvalidArgument {
        message,
        hint: "name a collector that speaks OTLP over HTTP, such as http://127.0.0.1:4318".into(),
    };
    if !matches!(collector.scheme(), "http" | "https") || !collector.has_host() {
        return Err(bad(format!("`{collector}` is not an http or https URL")));
    }
    // The same path that the specification defines for the environment variable for all signals.
    let endpoint = match collector.path() {
        "" | "/" => format!("{}v1/traces", collector.as_str()),
        _ => collector.to_string(),
    };
    let mut client =
        reqwest::Client::builder().timeout(EXPORT_TIMEOUT).redirect(reqwest::redirect::Policy::none()).no_proxy();
    client = match isolette_http::tls_configuration() {
        Ok(tls) => client.tls_backend_preconfigured(tls),
        Err(error) if collector.scheme() == "https" => return Err(bad(error.to_string())),
        Err(_) => client,
    };
    let client = client.build().map_err(|error| bad(error.to_string()))?;
    SpanExporter::builder()
        .with_http()
        .with_http_client(Client { client, runtime: runtime.handle().clone() })
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(endpoint)
        .with_timeout(EXPORT_TIMEOUT)
        .build()
        .map_err(|error| bad(error.to_string()))
}

/// An HTTP client for the exporter, which waits on a thread without a runtime; requests are sent on this runtime.
#[derive(Debug)]
struct Client {
    client: reqwest::Client,
    runtime: tokio::runtime::Handle,
}

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request)?;
        let client = self.client.clone();
        let exchange = async move {
            let response = client.execute(request).await?;
            let status = response.status();
            Ok::<_, reqwest::Error>((status, response.bytes().await?))
        };
        let (status, body) = self.runtime.spawn(exchange).await??;
        Ok(Response::builder().status(status).body(body)?)
    }
}
