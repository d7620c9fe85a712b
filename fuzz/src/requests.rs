//! Requests that an input stands for.
//!
//! An input is a line `METHOD TARGET`, headers, an empty line and the body. The headers that say where the request ends are
//! added, so that there is exactly one response. With `raw:` at its beginning, the rest is sent as it is.

/// The token of the caller.
pub const TOKEN: &str = "t";

const RAW: &[u8] = b"raw:";

/// Headers that are added, or that would say that more follows.
const ADDED: [&str; 6] = ["connection", "content-length", "expect", "host", "transfer-encoding", "upgrade"];

/// What is sent.
pub struct Input {
    pub sent: Vec<u8>,
    /// Whether it is one request with its end, to which there has to be a response.
    pub is_whole: bool,
    /// Whether responses have no bodies. In a raw input some may have and others not.
    pub is_head: bool,
}

impl Input {
    pub fn of(bytes: &[u8]) -> Self {
        if let Some(raw) = bytes.strip_prefix(RAW) {
            let is_head = raw.windows(5).any(|part| part == b"HEAD ");
            return Self { sent: raw.to_vec(), is_whole: false, is_head };
        }
        let (head, body) = divided(bytes);
        let mut lines = head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let mut first = lines.next().unwrap_or_default().splitn(2, |byte| *byte == b' ');
        let (method, target) = (first.next().unwrap_or_default(), first.next().unwrap_or(b"/"));
        let mut sent = [method, b" ", target, b" HTTP/1.1\r\n"].concat();
        let mut has_token = false;
        for line in lines {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
            let name = String::from_utf8_lossy(name).trim().to_ascii_lowercase();
            if line.is_empty() || ADDED.contains(&name.as_str()) {
                continue;
            }
            has_token |= name == "authorization";
            sent.extend_from_slice(line);
            sent.extend_from_slice(b"\r\n");
        }
        if !has_token {
            sent.extend_from_slice(format!("Authorization: Bearer {TOKEN}\r\n").as_bytes());
        }
        let length = body.len();
        sent.extend_from_slice(
            format!("Host: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n").as_bytes(),
        );
        sent.extend_from_slice(body);
        Self { sent, is_whole: true, is_head: method == b"HEAD" }
    }

    /// Whether no request of it can change anything.
    pub fn only_reads(&self) -> bool {
        let changes = |method: &[u8]| self.sent.windows(method.len()).any(|part| part == method);
        !["DELETE ", "PATCH ", "POST ", "PUT "].iter().any(|method| changes(method.as_bytes()))
    }
}

/// The head and the body, which begins after the first empty line.
fn divided(bytes: &[u8]) -> (&[u8], &[u8]) {
    let ends = [&b"\n\n"[..], b"\n\r\n"].map(|end| {
        let at = bytes.windows(end.len()).position(|part| part == end)?;
        Some((at, at + end.len()))
    });
    match ends.into_iter().flatten().min() {
        Some((head, body)) => (&bytes[..head], &bytes[body..]),
        None => (bytes, b""),
    }
}
