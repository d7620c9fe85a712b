//! Forms with files (RFC 7578) that an input stands for.
//!
//! The first line of an input is the boundary. The parts follow, with a byte 0 between them; the first line of each is the path of a
//! file, and the rest is what is in it. With `raw:` at its beginning, what follows the first line is sent as it is.

use std::collections::BTreeMap;

const RAW: &[u8] = b"raw:";

/// Maximum length of a boundary.
const BOUNDARY: usize = 70;

/// Maximum length of the path of a file.
const PATH: usize = 20;

/// The body of a request, and what a reader has to find in it.
pub struct Form {
    pub boundary: String,
    pub body: Vec<u8>,
    /// The files by their paths, the last one of each. `None` if it is not known what a reader finds.
    pub files: Option<BTreeMap<String, Vec<u8>>>,
    /// The number of parts.
    pub parts: usize,
}

impl Form {
    pub fn of(bytes: &[u8]) -> Self {
        let raw = bytes.strip_prefix(RAW);
        let (first, rest) = divided(raw.unwrap_or(bytes));
        let boundary = letters(first, BOUNDARY, "b");
        if raw.is_some() {
            return Self { boundary, body: rest.to_vec(), files: None, parts: 0 };
        }
        let delimiter = format!("\r\n--{boundary}");
        let (mut body, mut files, mut parts, mut is_known) = (Vec::new(), BTreeMap::new(), 0, true);
        for part in rest.split(|byte| *byte == 0) {
            let (path, content) = divided(part);
            let path = letters(path, PATH, "file");
            let head =
                format!("--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{path}\"\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            // The line break before it belongs to the delimiter.
            let whole = [b"\r\n", content, b"\r\n"].concat();
            is_known &= !whole.windows(delimiter.len()).any(|found| found == delimiter.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
            files.insert(path, content.to_vec());
            parts += 1;
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        Self { boundary, body, files: is_known.then_some(files), parts }
    }
}

/// The first line and the rest.
fn divided(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, b""),
    }
}

/// The letters and digits of a text, or another text if there are none.
fn letters(bytes: &[u8], most: usize, other: &str) -> String {
    let letters: String =
        bytes.iter().map(|byte| char::from(*byte)).filter(char::is_ascii_alphanumeric).take(most).collect();
    if letters.is_empty() { other.to_owned() } else { letters }
}
