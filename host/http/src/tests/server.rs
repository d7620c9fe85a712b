//! Servers on loopback: one that follows the protocol, and one that sends given bytes.

use std::{
    future::Future,
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufStream},
    net::{TcpListener, TcpStream},
    task::AbortHandle,
};

/// A request as received over the wire.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Reads one request; `None` at the end of the connection.
    pub(crate) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Self>> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => return Ok(None),
            }
        }
        let head: String = head.iter().copied().map(char::from).collect();
        let mut lines = head.trim_end().split("\r\n");
        let line = lines.next().unwrap_or_default().to_owned();
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut received = Self { line, headers, body: Vec::new() };
        let length = received.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        received.body.resize(length, 0);
        stream.read_exact(&mut received.body).await?;
        Ok(Some(received))
    }
}

/// A server that stops when it is dropped.
pub(crate) struct Server {
    pub(super) address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    connections: Arc<AtomicUsize>,
    task: AbortHandle,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Passes every connection to `handle`, which must not outlive the test.
    pub(crate) async fn raw<F, H>(handle: H) -> io::Result<Self>
    where
        F: Future<Output = io::Result<()>> + Send + 'static,
        H: Fn(TcpStream) -> F + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(handle(stream));
            }
        });
        Ok(Self { address, received: Arc::default(), connections, task: task.abort_handle() })
    }

    /// Answers requests one after another, and records them.
    pub(crate) async fn answering<A>(answer: A) -> io::Result<Self>
    where
        A: Fn(&Received) -> Vec<u8> + Send + Sync + 'static,
    {
        let received = Arc::new(Mutex::new(Vec::new()));
        let (answer, memory) = (Arc::new(answer), Arc::clone(&received));
        let mut server = Self::raw(move |stream| converse(stream, Arc::clone(&answer), Arc::clone(&memory))).await?;
        server.received = received;
        Ok(server)
    }

    /// Sends these bytes after a request, then closes the connection.
    pub(crate) async fn saying(bytes: impl Into<Vec<u8>>) -> io::Result<Self> {
        let bytes: Arc<Vec<u8>> = Arc::new(bytes.into());
        Self::raw(move |mut stream| {
            let bytes = Arc::clone(&bytes);
            async move {
                Received::read(&mut stream).await?;
                stream.write_all(&bytes).await?;
                stream.shutdown().await
            }
        })
        .await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns a rule for this server.
    pub(super) fn rule(&self) -> String {
        self.url("")
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

pub(super) async fn converse<A: Fn(&Received) -> Vec<u8>>(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: Arc<A>,
    memory: Arc<Mutex<Vec<Received>>>,
) -> io::Result<()> {
    let mut stream = BufStream::new(stream);
    while let Some(request) = Received::read(&mut stream).await? {
        memory.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        stream.write_all(&answer(&request)).await?;
        stream.flush().await?;
    }
    Ok(())
}

/// Builds a response with a body of known length. `head` begins with the status line's code and reason.
pub(crate) fn answer(head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes = format!("HTTP/1.1 {}\r\ncontent-length: {}\r\n\r\n", head.trim(), body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
