//! The connections of a server: how many there are, how long they wait for clients that do not read, and their end.

use std::{pin::pin, sync::Arc, time::Duration};

use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use isolette::CancellationToken;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The connections of a server.
#[derive(Debug)]
pub struct Connections {
    room: Arc<Semaphore>,
    send_time: Duration,
    open: GracefulShutdown,
    /// Cancelled when those that remain are closed.
    cut: CancellationToken,
}

impl Connections {
    /// Permits `limit` connections at the same time. One whose client takes less than 64 KiB of what waits for it within `send_time`
    /// is closed.
    #[must_use]
    pub fn new(limit: usize, send_time: Duration) -> Self {
        Self {
            room: Arc::new(Semaphore::new(limit.max(1))),
            send_time,
            open: GracefulShutdown::new(),
            cut: CancellationToken::new(),
        }
    }

    /// The number of connections.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.count()
    }

    /// Lets each connection end with the response that it sends, and closes those that have not ended within `time`. To be called
    /// when no more are accepted.
    pub async fn close(self, time: Duration) {
        self.close_after(time, || {}, Duration::ZERO).await;
    }

    /// As [`close`](Self::close), but after `time` calls `late`, which ends streams, and gives them `more` time.
    pub async fn close_after(self, time: Duration, late: impl FnOnce(), more: Duration) {
        let mut closed = pin!(self.open.shutdown());
        if tokio::time::timeout(time, &mut closed).await.is_ok() {
            return;
        }
        late();
        if tokio::time::timeout(more, &mut closed).await.is_err() {
            self.cut.cancel();
            closed.await;
        }
    }

    /// Waits until there may be another connection.
    pub(crate) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.room).acquire_owned().await.ok()
    }

    pub(crate) fn send_time(&self) -> Duration {
        self.send_time
    }

    /// The result of a connection, or `None` if it was closed.
    pub(crate) fn watch<C: GracefulConnection>(
        &self,
        connection: C,
    ) -> impl Future<Output = Option<C::Output>> + use<C> {
        let (connection, cut) = (self.open.watch(connection), self.cut.clone());
        async move {
            tokio::select! {
                biased;
                ended = connection => Some(ended),
                () = cut.cancelled() => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use bytes::Bytes;
    use http::Response;
    use http_body::Frame;
    use http_body_util::StreamBody;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::{TcpListener, TcpStream},
    };

    use super::*;
    use crate::{Listener, accept, responses::admit};

    /// A server whose responses do not end, and the clients of which read nothing of them but the beginning.
    async fn serve(connections: Connections, time: Duration) -> Vec<TcpStream> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let listener = Listener::Tcp(listener);
        let endless = |_, _| async {
            let part = || Ok::<_, Infallible>(Frame::data(Bytes::from(vec![0; 10_000])));
            let parts = futures_util::stream::repeat_with(part);
            admit(Response::new(StreamBody::new(parts))).await.unwrap()
        };
        let ask = async {
            let mut clients = Vec::new();
            for _ in 0..4 {
                let mut client = TcpStream::connect(address).await.unwrap();
                client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
                assert_eq!(client.read_u8().await.unwrap(), b'H');
                clients.push(client);
            }
            clients
        };
        let clients = tokio::select! {
            () = accept(&listener, &connections, endless) => unreachable!(),
            clients = ask => clients,
        };
        connections.close(time).await;
        clients
    }

    async fn assert_closed(clients: Vec<TcpStream>) {
        for mut client in clients {
            let mut rest = Vec::new();
            // It may be reset, since there is more to send.
            let _ = client.read_to_end(&mut rest).await;
            assert!(!rest.ends_with(b"0\r\n\r\n"), "a response that broke off looks whole");
        }
    }

    #[tokio::test]
    async fn connections_end_though_their_clients_do_not_read() {
        let connections = Connections::new(10, Duration::from_secs(1000));
        assert_closed(serve(connections, Duration::from_millis(10)).await).await;
    }

    #[tokio::test]
    async fn clients_that_do_not_read_are_disconnected_before() {
        let connections = Connections::new(10, Duration::from_millis(10));
        assert_closed(serve(connections, Duration::from_secs(1000)).await).await;
    }
}
