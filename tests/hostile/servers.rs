//! Two servers on the loopback interface: one that programs may reach and that misbehaves, and one that they must not reach,
//! which counts connections.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};

/// The interval of dropped connections.
const DRIP: Duration = Duration::from_millis(10);

pub(crate) struct Servers {
    open: SocketAddr,
    closed: SocketAddr,
    reached: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Servers {
    pub(crate) fn start() -> Self {
        let bind = || TcpListener::bind(("127.0.0.1", 0)).expect("a port on the loopback interface");
        let (open, closed) = (bind(), bind());
        let address = |listener: &TcpListener| listener.local_addr().expect("a bound listener has an address");
        let (open_address, closed_address) = (address(&open), address(&closed));
        let (reached, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let count = Arc::clone(&reached);
        let bad = {
            let over = Arc::clone(&over);
            accept(open, Arc::clone(&over), move |stream| {
                let over = Arc::clone(&over);
                // The program may close the connection at any time.
                thread::spawn(move || drop(misbehave(stream, closed_address, &over)));
            })
        };
        let silent = accept(closed, Arc::clone(&over), move |mut stream| {
            count.fetch_add(1, Ordering::Relaxed);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 22\r\n\r\nyou should not be here");
        });
        Self { open: open_address, closed: closed_address, reached, over, threads: vec![bad, silent] }
    }

    pub(crate) fn open(&self) -> String {
        format!("http://{}", self.open)
    }

    pub(crate) fn open_port(&self) -> u16 {
        self.open.port()
    }

    pub(crate) fn closed_port(&self) -> u16 {
        self.closed.port()
    }

    pub(crate) fn closed_connections(&self) -> usize {
        self.reached.load(Ordering::Relaxed)
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for address in [self.open, self.closed] {
            let _ = TcpStream::connect(address);
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn accept(listener: TcpListener, over: Arc<AtomicBool>, serve: impl Fn(TcpStream) + Send + 'static) -> JoinHandle<()> {
    thread::spawn(move || {
        for stream in listener.incoming() {
            if over.load(Ordering::Relaxed) {
                return;
            }
            if let Ok(stream) = stream {
                serve(stream);
            }
        }
    })
}

fn misbehave(mut stream: TcpStream, closed: SocketAddr, over: &AtomicBool) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        if line == "\r\n" {
            break;
        }
        head += &line;
    }
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let path = target.split('?').next().unwrap_or_default();
    let mut whole = |body: &str| {
        // A connection that is kept for the next request would count as an additional one.
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())?;
        stream.flush()
    };
    match path {
        "/ok" => whole("fine"),
        "/echo" => whole(&head),
        "/spelled" => whole(&spellings(proof(&head))),
        path if path.starts_with("/reflect") => reflect(&mut stream, path, proof(&head)),
        path => answer_badly(&mut stream, path, closed, over),
    }
}

/// The forms of the credential of a request.
fn proof(head: &str) -> &str {
    let line = head.lines().find_map(|line| line.strip_prefix("Authorization: Bearer "));
    line.unwrap_or("no proof")
}

/// The ways in which libraries encode a text in JSON and in URLs.
fn spellings(proof: &str) -> String {
    let escaped: String = proof.bytes().map(|byte| format!("\\u{byte:04X}")).collect();
    let encoded: String = proof.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let (partly, half) = (proof.replace('-', "%2d"), proof.replace('-', "\\u002d"));
    format!("{escaped} {encoded} {partly} {half}")
}

/// Returns the credential of a request in places other than the body.
fn reflect(stream: &mut TcpStream, path: &str, proof: &str) -> io::Result<()> {
    let long = "x".repeat(190);
    let head = match path {
        "/reflect-header" => format!("200 OK\r\nx-{proof}: {proof}"),
        "/reflect-redirect" => format!("302 Elsewhere\r\nlocation: /ok?key={proof}"),
        "/reflect-nowhere" => format!("302 Elsewhere\r\nlocation: ftp://{proof}/"),
        "/reflect-denied" => format!("302 Elsewhere\r\nlocation: http://elsewhere.example/{proof}"),
        // The shown part of a URL ends within it.
        "/reflect-cut" => format!("302 Elsewhere\r\nlocation: http://elsewhere.example/{long}{proof}"),
        _ => format!("302 Elsewhere\r\nlocation: http://[{}{proof}", &long[..85]),
    };
    write!(stream, "HTTP/1.1 {head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

/// Each is the last response on its connection.
fn answer_badly(stream: &mut TcpStream, path: &str, closed: SocketAddr, over: &AtomicBool) -> io::Result<()> {
    let again = |stream: &mut TcpStream, piece: &[u8]| -> io::Result<()> {
        while !over.load(Ordering::Relaxed) {
            stream.write_all(piece)?;
            stream.flush()?;
            thread::sleep(DRIP);
        }
        Ok(())
    };
    let redirect = |stream: &mut TcpStream, status: u16, to: &str| {
        write!(
            stream,
            "HTTP/1.1 {status} Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    };
    match path {
        "/to-closed" => redirect(stream, 302, &format!("http://{closed}/")),
        "/to-closed-307" => redirect(stream, 307, &format!("http://{closed}/")),
        "/to-file" => redirect(stream, 302, "file:///etc/passwd"),
        "/to-metadata" => redirect(stream, 301, "http://169.254.169.254/latest/meta-data/"),
        "/to-user-name" => redirect(stream, 302, &format!("http://{}@{closed}/", stream.local_addr()?)),
        "/to-chain" => redirect(stream, 302, "/to-closed"),
        "/loop" => redirect(stream, 302, "/loop"),
        "/short" => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort"),
        "/two-lengths" => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"),
        "/garbage" => stream.write_all(&[0xff; 4096]),
        "/not-http" => stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"),
        "/upgrade" => {
            stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n")
        }
        "/nul-header" => stream.write_all(b"HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n"),
        "/many-headers" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            let many: String = (0..10_000).map(|number| format!("x-{number}: y\r\n")).collect();
            stream.write_all(many.as_bytes())
        }
        "/long-header" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nx: ")?;
            stream.write_all(&vec![b'y'; 4 << 20])
        }
        "/interim" => again(stream, &b"HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
        "/slow-headers" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nx: ")?;
            again(stream, b"y")
        }
        "/drip" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n")?;
            again(stream, b"x")
        }
        "/endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")?;
            again(stream, &[b"10000\r\n".as_slice(), &[b'x'; 0x10000], b"\r\n"].concat())
        }
        "/bomb" => {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            for _ in 0..64 {
                packed.write_all(&vec![0; 1 << 20])?;
            }
            let packed = packed.finish()?;
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n",
                packed.len()
            )?;
            stream.write_all(&packed)
        }
        // Afterwards it sends nothing, as long as the peer waits.
        _ => {
            stream.set_read_timeout(Some(DRIP))?;
            let mut gone = [0];
            while !over.load(Ordering::Relaxed) && !matches!(stream.read(&mut gone), Ok(0)) {}
            Ok(())
        }
    }
}
