//! Opens a connection to an address that a permit allows.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use isolette_abi::http::HttpError;
use tokio::{net::TcpStream, task::JoinSet, time::sleep};
use url::Host;

use super::{
    connection::Connection,
    error,
    limits::HttpLimits,
    message::Message,
    meter::{Meter, Metered},
    resolve::{Names, Resolve},
    spelling::{Spelled, Spelling, Stream},
    tls::Tls,
    url_text::host,
};
use isolette_policy::network::Permit;

/// Maximum number of addresses of one name that are tried.
const ADDRESSES: usize = 16;
/// Delay after which the next address is tried in parallel (RFC 8305).
const HEAD_START: Duration = Duration::from_millis(250);
/// Minimum size of hyper's buffer for headers.
const SMALLEST_BUFFER: usize = 8192;

/// Opens connections.
pub(super) struct Connector {
    names: Names,
    tls: Tls,
    protocol: http1::Builder,
    longest_head: usize,
}

impl Connector {
    pub(super) fn new(resolver: Arc<dyn Resolve>, tls: Tls, limits: &HttpLimits) -> Self {
        let mut protocol = http1::Builder::new();
        let longest_head = limits.header_bytes.max(SMALLEST_BUFFER);
        // Names that the program does not spell, such as `Host`, are written as most clients do.
        protocol.max_headers(limits.headers).max_buf_size(longest_head).title_case_headers(true);
        Self { names: Names::new(resolver, limits.concurrent), tls, protocol, longest_head }
    }

    /// Resolves the host once, removes the addresses that the permit does not allow, and connects to one of the others.
    /// Received bytes are counted from the first one on.
    pub(super) async fn connect(
        &self,
        message: &Message,
        permit: &Permit<'_>,
        meter: &Arc<Meter>,
    ) -> Result<Connection, HttpError> {
        let addresses = self.addresses(message, permit).await?;
        let stream = race(addresses).await.map_err(|error| {
            HttpError::Connect(format!("{}: no connection could be made: {error}", message.origin()))
        })?;
        // The connection works without this option, only slower.
        let _ = stream.set_nodelay(true);
        let stream = Metered::new(stream, Arc::clone(meter));
        let stream: Box<dyn Stream> = match message.url.scheme() {
            "https" => Box::new(self.tls.connect(host(&message.url), stream).await?),
            _ => Box::new(stream),
        };
        let spelling: Arc<Spelling> = Arc::default();
        let stream = Spelled::new(stream, Arc::clone(&spelling), self.longest_head);
        let (sender, driver) = self
            .protocol
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| error::exchange(&message.origin(), &error))?;
        Ok(Connection::new(sender, driver, Arc::clone(meter), spelling))
    }

    async fn addresses(&self, message: &Message, permit: &Permit<'_>) -> Result<Vec<SocketAddr>, HttpError> {
        let port = message.url.port_or_known_default().unwrap_or_default();
        let mut addresses = match message.url.host() {
            Some(Host::Ipv4(address)) => vec![(IpAddr::V4(address), port).into()],
            Some(Host::Ipv6(address)) => vec![(IpAddr::V6(address), port).into()],
            Some(Host::Domain(name)) => {
                let found = self
                    .names
                    .addresses(name, port)
                    .await
                    .map_err(|error| error::unresolved(name, &error.to_string()))?;
                if found.is_empty() {
                    return Err(error::unresolved(name, "it has no addresses"));
                }
                found
            }
            None => Vec::new(),
        };
        addresses.retain(|address| permit.reach().admits(address.ip()));
        addresses.truncate(ADDRESSES);
        if addresses.is_empty() {
            let denial = permit.refuse_addresses(message.method.as_str(), &message.url);
            return Err(HttpError::Denied(denial.to_string()));
        }
        Ok(addresses)
    }
}

/// Returns the first connection that is established. Dropping the set cancels all other attempts.
async fn race(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    let mut waiting = addresses.into_iter();
    let mut attempts = JoinSet::new();
    let mut failure = None;
    loop {
        if let Some(address) = waiting.next() {
            attempts.spawn(TcpStream::connect(address));
        }
        tokio::select! {
            attempt = attempts.join_next() => match attempt {
                Some(Ok(Ok(stream))) => return Ok(stream),
                Some(Ok(Err(error))) => failure = Some(error),
                Some(Err(error)) => failure = Some(error.into()),
                None => return Err(failure.unwrap_or_else(|| io::ErrorKind::NotConnected.into())),
            },
            () = sleep(HEAD_START), if waiting.len() > 0 => {}
        }
    }
}
