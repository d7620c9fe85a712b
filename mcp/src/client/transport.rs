//! The two transports to another server: a child process and HTTP.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ::http::{HeaderMap, HeaderName, HeaderValue};
use isolette::Secret;
use process_wrap::tokio::{CommandWrap, KillOnDrop, ProcessGroup};
use rmcp::transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig};
use tokio::{
    io::AsyncReadExt as _,
    process::{ChildStderr, Command},
    sync::watch,
    time::timeout,
};
use url::{Host, Url};

use super::{
    child::Child,
    error::SourceError,
    http::Measured,
    pace::{Pace, Paced},
    source::{McpSource, SourceTransport},
};

/// Variables of this process that a child process needs to find its interpreter and its caches. All others are
/// withheld.
const PASSED_ON: [&str; 2] = ["PATH", "HOME"];

/// Maximum length of the kept end of a child's standard error, in bytes.
const STDERR_KEPT: usize = 2_000;

/// Maximum length of one event in an answer, in bytes.
const EVENT_LIMIT: usize = 16 << 20;

const CONNECT_TIME: Duration = Duration::from_secs(10);

/// How long to wait for the last output of a child that has ended. Its own children may keep its standard error open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The end of the standard error of a child process.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Number of children that may still write to it.
    open: Arc<watch::Sender<usize>>,
}

impl Tail {
    /// Waits until the children have closed their standard error.
    pub(super) async fn is_over(&self) {
        let _ = timeout(LAST_WORDS, self.open.subscribe().wait_for(|open| *open == 0)).await;
    }

    pub(super) fn text(&self) -> String {
        let bytes = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (front, back) = bytes.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }

    /// Reads everything at a pace, so that the child does not block, and keeps the end.
    async fn follow(self, stderr: ChildStderr) {
        let mut stderr = Paced::new(stderr, Pace::new());
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[..count]);
            let over = kept.len().saturating_sub(STDERR_KEPT);
            kept.drain(..over);
        }
        self.open.send_modify(|open| *open -= 1);
    }
}

impl McpSource {
    /// Starts a child process in a process group of its own, which is ended with it.
    pub(super) fn child(&self, tail: &Tail) -> Result<Child, SourceError> {
        let SourceTransport::Child { program, arguments, environment, variables, directory } = &self.transport else {
            return Err(self.invalid("it is no child process".into(), "name a command"));
        };
        let mut command = Command::new(program);
        command.args(arguments).env_clear();
        command.envs(PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command.envs(variables);
        command.envs(environment.iter().map(|(name, value)| (name, value.expose())));
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        let mut wrapped = CommandWrap::from(command);
        wrapped.wrap(KillOnDrop).wrap(ProcessGroup::leader());
        let (child, stderr) = Child::start(wrapped).map_err(|error| SourceError::Unusable {
            name: self.name.clone(),
            reason: format!("`{program}` cannot be started: {error}"),
            stderr: String::new(),
        })?;
        if let Some(stderr) = stderr {
            tail.open.send_modify(|open| *open += 1);
            tokio::spawn(tail.clone().follow(stderr));
        }
        Ok(child)
    }

    /// Prepares the client for a running server. It does not follow redirects, which would pass the headers to another
    /// server.
    pub(super) fn http(&self) -> Result<StreamableHttpClientTransport<Measured>, SourceError> {
        let SourceTransport::Http { url, headers } = &self.transport else {
            return Err(self.invalid("it is no URL".into(), "name a URL"));
        };
        let unusable =
            |reason: String| SourceError::Unusable { name: self.name.clone(), reason, stderr: String::new() };
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(self.invalid(format!("`{url}` is no http or https URL"), "give one, as in https://host/mcp"));
        }
        if !headers.is_empty() && url.scheme() == "http" && !is_loopback(url) {
            return Err(
                self.invalid("its headers would travel in the clear".into(), "use https, or leave the headers out")
            );
        }
        let mut builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIME)
            // Headers with secrets must only reach the named server.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(self.head(headers)?);
        // Plain HTTP must work on machines without a usable TLS configuration.
        builder = match isolette_http::tls_configuration() {
            Ok(tls) => builder.tls_backend_preconfigured(tls),
            Err(error) if url.scheme() == "https" => return Err(unusable(error.to_string())),
            Err(_) => builder,
        };
        let client = builder.build().map_err(|error| unusable(error.to_string()))?;
        let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
            .max_sse_event_size(EVENT_LIMIT)
            .reinit_on_expired_session(true);
        Ok(StreamableHttpClientTransport::with_client(Measured(client), config))
    }

    fn head(&self, headers: &BTreeMap<String, Secret>) -> Result<HeaderMap, SourceError> {
        let mut head = HeaderMap::new();
        for (name, value) in headers {
            let parsed = HeaderName::try_from(name.as_str()).ok().zip(HeaderValue::from_str(value.expose()).ok());
            // The error must not contain the value, which is a secret even if it is invalid.
            let (header, mut value) = parsed.ok_or_else(|| {
                self.invalid(
                    format!("`{}` is no header, or its value cannot be sent", name.escape_debug()),
                    "use ASCII",
                )
            })?;
            value.set_sensitive(true);
            head.insert(header, value);
        }
        Ok(head)
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
