//! Writes forms with files (RFC 7578).

use rand::Rng as _;

/// A form that is being written.
pub(super) struct Form {
    media: String,
    boundary: String,
    bytes: Vec<u8>,
}

impl Form {
    /// `media` is the type, such as `multipart/form-data`.
    pub(super) fn new(media: &str) -> Self {
        let media = if media.contains('*') { "multipart/form-data" } else { media };
        // The boundary is random, so the author of a part cannot include it on purpose.
        let boundary = format!("isolette-{:032x}", rand::rng().random::<u128>());
        Self { media: media.to_owned(), boundary, bytes: Vec::new() }
    }

    pub(super) fn part(
        &mut self,
        name: &str,
        filename: Option<&str>,
        media: Option<&str>,
        content: &[u8],
    ) -> Result<(), String> {
        if let Some(media) = media.filter(|media| !media.bytes().all(|byte| (b' '..0x7f).contains(&byte))) {
            return Err(format!("`{}` is not a media type", media.escape_debug()));
        }
        let mut head = format!("--{}\r\ncontent-disposition: form-data; name=\"{}\"", self.boundary, quoted(name));
        if let Some(filename) = filename {
            head.push_str(&format!("; filename=\"{}\"", quoted(filename)));
        }
        if let Some(media) = media {
            head.push_str(&format!("\r\ncontent-type: {media}"));
        }
        head.push_str("\r\n\r\n");
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(content);
        self.bytes.extend_from_slice(b"\r\n");
        Ok(())
    }

    /// Returns the content type and the bytes.
    pub(super) fn finish(mut self) -> (String, Vec<u8>) {
        self.bytes.extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        (format!("{}; boundary={}", self.media, self.boundary), self.bytes)
    }
}

/// Quotes a name as browsers do.
fn quoted(text: &str) -> String {
    text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}
