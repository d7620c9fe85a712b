//! Accepts connections and serves them.

use std::{convert::Infallible, error::Error, fmt, io, net::SocketAddr, time::Duration};

use http::{HeaderValue, Request, Response, header};
use hyper::{body, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, UnixListener},
    sync::OwnedSemaphorePermit,
};

use crate::{
    connections::Connections,
    framing::{Ambiguous, Arrived, Noting},
    lingering::Lingering,
    sending::Sending,
};

/// The body of a request.
pub type Incoming = body::Incoming;

/// Time limit for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Time in which no connection is accepted after an attempt failed.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// A bound address.
#[derive(Debug)]
pub enum Listener {
    /// An address of this machine.
    Tcp(TcpListener),
    /// A socket in the file system.
    Unix(UnixListener),
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A client at this address.
    Tcp(SocketAddr),
    /// A process of this machine that may open the socket.
    Unix,
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(formatter),
            Self::Unix => formatter.write_str("unix"),
        }
    }
}

/// Accepts connections, and passes their requests to `answer`. It does not return; dropping the future stops it. `connections` limits
/// how many there are, and closes them then.
pub async fn accept<Answer, Response_, B>(listener: &Listener, connections: &Connections, answer: Answer)
where
    Answer: Fn(Peer, Request<Incoming>) -> Response_ + Clone + Send + 'static,
    Response_: Future<Output = Response<B>> + Send,
    B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    loop {
        let Some(place) = connections.place().await else { return };
        let accepted = match listener {
            Listener::Tcp(listener) => listener.accept().await.map(|(stream, peer)| {
                // Responses are written as a whole, and short ones must not wait for the acknowledgement of earlier ones.
                let _ = stream.set_nodelay(true);
                serve(stream, Peer::Tcp(peer), place, connections, answer.clone());
            }),
            Listener::Unix(listener) => {
                listener.accept().await.map(|(stream, _)| serve(stream, Peer::Unix, place, connections, answer.clone()))
            }
        };
        if let Err(error) = accepted {
            wait_after(&error).await;
        }
    }
}

/// The process has no more descriptors, or the client has already disconnected. Both are temporary.
async fn wait_after(error: &io::Error) {
    tracing::warn!(%error, "a connection was not accepted");
    tokio::time::sleep(AFTER_FAILURE).await;
}

fn serve<S, Answer, Response_, B>(
    stream: S,
    peer: Peer,
    place: OwnedSemaphorePermit,
    connections: &Connections,
    answer: Answer,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    Answer: Fn(Peer, Request<Incoming>) -> Response_ + Clone + Send + 'static,
    Response_: Future<Output = Response<B>> + Send,
    B: http_body::Body<Data = bytes::Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let arrived = Arrived::default();
    let noted = arrived.clone();
    let service = service_fn(move |mut request| {
        let (answer, is_ambiguous) = (answer.clone(), noted.is_ambiguous(&request));
        if is_ambiguous {
            request.extensions_mut().insert(Ambiguous);
        }
        async move {
            let mut response = answer(peer, request).await;
            if is_ambiguous {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let stream = Lingering::new(Sending::new(stream, connections.send_time()));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(Noting::new(stream, arrived)), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        let _place = place;
        match connection.await {
            Some(Err(error)) => tracing::debug!(%error, "a connection broke off"),
            Some(Ok(())) => {}
            None => tracing::debug!("a connection was closed before its response was read"),
        }
    });
}
