//! A strict reader of HTTP responses: what the service sends has to be what it reads.

use serde_json::Value;

/// What came back on a connection.
pub struct Responses<'a> {
    /// Responses with their ends.
    pub whole: Vec<Response<'a>>,
    /// What follows them, if the connection was closed in the middle of a response.
    pub rest: &'a [u8],
}

/// A response with its end.
pub struct Response<'a> {
    pub status: u16,
    headers: Vec<(String, &'a str)>,
    body: Vec<u8>,
}

impl<'a> Responses<'a> {
    /// Reads responses. With `may_be_head`, a response may end after its headers.
    ///
    /// # Panics
    /// If it is not what a server may send.
    pub fn read(bytes: &'a [u8], may_be_head: bool) -> Self {
        let (mut rest, mut whole) = (bytes, Vec::new());
        while let Some((response, after)) = one(rest, may_be_head) {
            rest = after;
            // What follows an interim response is the response.
            if response.status >= 200 {
                whole.push(response);
            }
        }
        assert!(rest.is_empty() || b"HTTP/1.".starts_with(&rest[..rest.len().min(7)]), "{}", rest.escape_ascii());
        Self { whole, rest }
    }

    /// Checks what has to hold for all responses.
    pub fn assert_sound(&self) {
        self.whole.iter().for_each(Response::assert_sound);
    }
}

/// Reads a response. `None` if it has no end.
fn one(bytes: &[u8], may_be_head: bool) -> Option<(Response<'_>, &[u8])> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).expect("a head is text");
    let rest = &bytes[end + 4..];
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap_or_default();
    let mut words = status.splitn(3, ' ');
    assert!(matches!(words.next(), Some("HTTP/1.1" | "HTTP/1.0")), "{status}");
    let status: u16 = words.next().and_then(|word| word.parse().ok()).expect("a status");
    assert!((100..600).contains(&status), "{status}");
    let headers: Vec<_> = lines
        .map(|line| {
            let (name, value) = line.split_once(": ").or_else(|| line.split_once(':')).expect("a header has a name");
            assert!(!value.contains(['\r', '\n', '\0']), "{line}");
            (name.to_ascii_lowercase(), value)
        })
        .collect();
    let values =
        |name: &str| headers.iter().filter(|(found, _)| found == name).map(|(_, value)| *value).collect::<Vec<_>>();
    let (lengths, encodings) = (values("content-length"), values("transfer-encoding"));
    assert!(lengths.len() + encodings.len() <= 1, "the end of the response is ambiguous: {head}");
    let has_none = status < 200 || status == 204 || status == 304;
    let is_head = may_be_head && (rest.is_empty() || rest.starts_with(b"HTTP/1."));
    if has_none || is_head {
        return Some((Response { status, headers, body: Vec::new() }, rest));
    }
    let (body, rest) = match (lengths.first(), encodings.first()) {
        (Some(length), _) => {
            let length: usize = length.parse().expect("a length is a number");
            let (body, rest) = rest.split_at_checked(length)?;
            (body.to_vec(), rest)
        }
        (None, Some(encoding)) => {
            assert_eq!(*encoding, "chunked");
            chunks(rest)?
        }
        // Its end is that of the connection.
        (None, None) => (rest.to_vec(), &rest[rest.len()..]),
    };
    Some((Response { status, headers, body }, rest))
}

/// Reads a body in chunks. `None` if it has no end.
fn chunks(mut bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|part| part == b"\r\n")?;
        let length = std::str::from_utf8(&bytes[..end]).expect("a length is text");
        let length = usize::from_str_radix(length, 16).expect("a length is a number");
        let (chunk, after) = bytes[end + 2..].split_at_checked(length)?;
        body.extend_from_slice(chunk);
        bytes = after.strip_prefix(b"\r\n")?;
        if length == 0 {
            return Some((body, bytes));
        }
    }
}

impl Response<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| *value)
    }

    /// Returns the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body.escape_ascii()))
    }

    fn assert_sound(&self) {
        assert_ne!(self.status, 500, "{}", self.body.escape_ascii());
        let media_type = self.header("content-type").unwrap_or_default();
        let is_json = media_type.starts_with("application/json") && !self.body.is_empty();
        let json = if is_json { self.json() } else { Value::Null };
        // The connection refuses what is no request, without a body.
        if self.status >= 400 && !self.body.is_empty() {
            let text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
            let is_own = text(&json["error"]["type"]) && text(&json["error"]["message"]);
            // Of sandboxes as a number, of their processes as a name.
            let is_e2b = (json["code"] == self.status || text(&json["code"])) && text(&json["message"]);
            assert!(is_own || is_e2b, "status {}: {}", self.status, self.body.escape_ascii());
        }
    }
}
