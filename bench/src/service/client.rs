//! A client with one connection.

use std::{
    io::{BufRead as _, BufReader, Read, Write},
    net::TcpStream,
    os::unix::net::UnixStream,
    path::Path,
};

use anyhow::ensure;
use serde_json::Value;

trait Connection: Read + Write + Send {}

impl<T: Read + Write + Send> Connection for T {}

/// One connection.
pub(super) struct Client {
    stream: BufReader<Box<dyn Connection>>,
    /// Headers of all requests.
    headers: String,
}

impl Client {
    pub(super) fn connect(socket: &Path) -> anyhow::Result<Self> {
        let stream: Box<dyn Connection> = Box::new(UnixStream::connect(socket)?);
        Ok(Self { stream: BufReader::new(stream), headers: String::new() })
    }

    /// Connects to an address `http://…`, with a token.
    pub(super) fn connect_to(url: &str, token: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(url.trim_start_matches("http://"))?;
        stream.set_nodelay(true)?;
        let stream: Box<dyn Connection> = Box::new(stream);
        Ok(Self { stream: BufReader::new(stream), headers: format!("authorization: Bearer {token}\r\n") })
    }

    pub(super) fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.send("POST", path, &body.to_string())
    }

    pub(super) fn send(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Value> {
        let length = self.begin(method, path, body)?;
        let mut bytes = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut bytes)?;
        let answer: Value = serde_json::from_slice(&bytes)?;
        ensure!(answer["error"].is_null(), "{answer}");
        Ok(answer)
    }

    /// Sends a request, and reads the head of the response. Returns the length of the body, if it is known.
    fn begin(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Option<usize>> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\n{}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.headers,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (String::new(), None);
        self.stream.read_line(&mut status)?;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some(("content-length", text)) => length = Some(text.parse()?),
                Some(_) => {}
                None => break,
            }
        }
        if !status.starts_with("HTTP/1.1 2") {
            let mut bytes = vec![0; length.unwrap_or(0)];
            self.stream.read_exact(&mut bytes)?;
            anyhow::bail!("{status}: {}", String::from_utf8_lossy(&bytes));
        }
        Ok(length)
    }

    /// The lines of a stream of events, until it ends. `pause` is called after each event.
    pub(super) fn events(mut self, path: &str, mut pause: impl FnMut()) -> anyhow::Result<Vec<String>> {
        self.headers.push_str("accept: text/event-stream\r\nconnection: close\r\n");
        self.begin("GET", path, "")?;
        let mut lines = Vec::new();
        // The frames of the chunked body are lines of their own, which no event begins like.
        for line in self.stream.lines() {
            let line = line?;
            if line.starts_with("data: ") {
                pause();
            }
            if line.starts_with("data: ") || line.starts_with("event: ") {
                lines.push(line);
            }
        }
        Ok(lines)
    }
}
