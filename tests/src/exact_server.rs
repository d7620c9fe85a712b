//! A server whose programs see each byte of a request's head, and which writes responses as they are given. Libraries for
//! servers convert names of headers to lower case, in both directions.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

/// A request, as it was received.
#[derive(Clone, Debug, Default)]
pub struct ExactRequest {
    /// The method.
    pub method: String,
    /// The target, as in the first line.
    pub target: String,
    /// Names and values, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl ExactRequest {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn read(stream: &mut impl BufRead) -> Option<Self> {
        let mut line = || {
            let mut bytes = Vec::new();
            stream.read_until(b'\n', &mut bytes).ok().filter(|length| *length > 0)?;
            Some(bytes.into_iter().map(char::from).collect::<String>().trim_end().to_owned())
        };
        let first = line()?;
        let (method, rest) = first.split_once(' ')?;
        let (target, _) = rest.rsplit_once(' ')?;
        let mut request = Self { method: method.to_owned(), target: target.to_owned(), ..Self::default() };
        while let Some(line) = line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            request.headers.push((name.to_owned(), value.trim().to_owned()));
        }
        let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        request.body.resize(length, 0);
        stream.read_exact(&mut request.body).ok()?;
        Some(request)
    }
}

/// A server on a port that the system chose. It takes no more connections after this is dropped.
#[derive(Debug)]
pub struct ExactServer {
    address: SocketAddr,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ExactServer {
    /// Starts serving: `answer` returns the bytes of a response.
    #[must_use]
    pub fn start(answer: impl Fn(&ExactRequest) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port on the loopback interface");
        let address = listener.local_addr().expect("a bound listener has an address");
        let ended = Arc::new(AtomicBool::new(false));
        let (flag, answer) = (Arc::clone(&ended), Arc::new(answer));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if flag.load(Ordering::SeqCst) {
                    return;
                }
                let answer = Arc::clone(&answer);
                thread::spawn(move || serve(&stream.expect("a connection"), &*answer));
            }
        });
        Self { address, ended, thread: Some(thread) }
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for ExactServer {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // The thread waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(stream: &TcpStream, answer: &dyn Fn(&ExactRequest) -> Vec<u8>) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = ExactRequest::read(&mut reader) {
        if (&*stream).write_all(&answer(&request)).is_err() {
            return;
        }
    }
}
