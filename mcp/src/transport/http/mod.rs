//! The transport over streamable HTTP, for many clients.
//!
//! Web pages in a browser on the same machine are untrusted: requests with an unexpected `Host` or `Origin` are
//! refused, so that pages cannot reach a server on the loopback interface. On other interfaces the server requires a
//! bearer token.

mod message;
mod metrics;
mod presence;
mod serve;

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use http::{Uri, uri::Authority};
use isolette::Secret;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use self::metrics::MetricsServer;
use crate::Server;

/// The address, and the access rules.
///
/// | option | default |
/// |---|---|
/// | `hosts` | `localhost`, `127.0.0.1`, `::1` |
/// | `origins` | on the loopback interface the server's own; requests with another origin are refused |
/// | `token` | none |
/// | `connections` | 256 |
/// | `send_time` | 1 min |
/// | `drain` | 10 s |
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The interface and the port; with port 0 the system picks a port.
    pub address: SocketAddr,
    /// The values of `Host` that are accepted: names, or names with a port.
    pub hosts: Vec<String>,
    /// The values of `Origin` that are accepted, such as `https://app.example.com:443`.
    pub origins: Vec<String>,
    /// The bearer token that requests must have.
    pub token: Option<Secret>,
    /// Maximum number of connections at the same time; others wait to be accepted.
    pub connections: usize,
    /// How long responses wait for a client that does not read: a connection is closed if less than 64 KiB of what waits for its
    /// client were taken within this time.
    pub send_time: Duration,
    /// How long runs may continue after shutdown has begun.
    pub drain: Duration,
}

impl HttpOptions {
    /// Makes options with the defaults.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            hosts: ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec(),
            origins: Vec::new(),
            token: None,
            connections: 256,
            send_time: Duration::from_secs(60),
            drain: Duration::from_secs(10),
        }
    }
}

/// The reason why the server cannot start.
#[derive(Debug, thiserror::Error)]
#[error("{}\nhint: {}", self.message(), self.hint())]
#[non_exhaustive]
pub enum HttpError {
    /// The address is not a loopback address and there is no token, so every client that can reach it could run programs.
    Unprotected(SocketAddr),
    /// The text is not a host name or address, so no request could match it.
    Host(String),
    /// The text is not an origin, so no request could match it.
    Origin(String),
    /// The address is not available.
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
}

impl HttpError {
    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Unprotected(address) => {
                format!("{address} can be reached from other machines, and there is no token")
            }
            Self::Host(text) => format!("`{}` is no name of a machine", text.escape_debug()),
            Self::Origin(text) => format!("`{}` is no origin of web pages", text.escape_debug()),
            Self::Listen { address, source } => format!("cannot listen on {address}: {source}"),
        }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unprotected(_) => "listen on 127.0.0.1, or say which token clients must bring",
            Self::Host(_) => "give a name or an address, with or without a port, and no scheme: `tools.example.com`",
            Self::Origin(_) => "give a scheme, a name and a port, and no path: `https://app.example.com:443`",
            Self::Listen { .. } => "choose another port; with port 0 the system picks one",
        }
    }
}

/// A bound server, which answers once it is run.
#[derive(Debug)]
pub struct HttpServer {
    server: Server,
    options: HttpOptions,
    listener: TcpListener,
    address: SocketAddr,
}

impl HttpServer {
    /// Binds the address.
    ///
    /// # Errors
    /// [`HttpError`] if the address is not available, if it needs a token and there is none, or if a host or an origin
    /// is invalid.
    pub async fn bind(server: Server, mut options: HttpOptions) -> Result<Self, HttpError> {
        let asked = options.address;
        if !asked.ip().is_loopback() && options.token.is_none() {
            return Err(HttpError::Unprotected(asked));
        }
        if let Some(host) = options.hosts.iter().find(|host| !is_host(host)) {
            return Err(HttpError::Host(host.clone()));
        }
        if let Some(origin) = options.origins.iter().find(|origin| !is_origin(origin)) {
            return Err(HttpError::Origin(origin.clone()));
        }
        let failed = |source| HttpError::Listen { address: asked, source };
        let listener = TcpListener::bind(asked).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if address.ip().is_loopback() {
            // The server's own origin is safe to accept: the server serves no pages.
            let own = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{}", address.port()));
            options.origins.extend(own);
        }
        Ok(Self { server, options, listener, address })
    }

    /// The URL that clients connect to.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Answers requests until `shutdown` is cancelled. Then it accepts no more requests, and lets runs in flight end
    /// within [`HttpOptions::drain`].
    pub async fn run(self, shutdown: CancellationToken) {
        serve::serve(self.server, self.options, self.listener, shutdown).await;
    }
}

/// Whether the text is a name or an address, with an optional port.
fn is_host(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
        || text.parse::<Authority>().is_ok_and(|authority| !text.contains('@') && !authority.host().is_empty())
}

/// Whether the text is an origin as browsers send it, or one with `*` for every port.
fn is_origin(text: &str) -> bool {
    let origin = text.strip_suffix(":*").unwrap_or(text);
    match origin.parse::<Uri>() {
        _ if origin == "null" => true,
        Ok(uri) => {
            let path = uri.path_and_query().is_none_or(|path| path.as_str() == "/");
            let host = uri.authority().is_some_and(|authority| is_host(authority.as_str()));
            uri.scheme().is_some() && host && path && !origin.ends_with('/')
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_matches_is_refused() {
        for host in ["localhost", "127.0.0.1", "::1", "[::1]:8080", "tools.example.com", "tools.example.com:8080"] {
            assert!(is_host(host), "{host}");
        }
        for host in ["", "https://x", "x/y", "me@x", "a b", ":80"] {
            assert!(!is_host(host), "{host}");
        }
        for origin in ["null", "https://app.example.com", "https://app.example.com:443", "http://[::1]:*", "app://x"] {
            assert!(is_origin(origin), "{origin}");
        }
        for origin in
            ["", "app.example.com", "app.example.com:443", "https://x/y", "https://x/", "https://", "https://me@x"]
        {
            assert!(!is_origin(origin), "{origin}");
        }
    }
}
