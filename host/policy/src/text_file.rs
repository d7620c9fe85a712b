//! Text files that a user names.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

/// Reads a text file of at most `limit` bytes. `None` if it has more, also where the system does not know its length, as with a device.
///
/// # Errors
/// If it cannot be read, or is not UTF-8 ([`io::ErrorKind::InvalidData`]).
pub fn read_text_within(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Ok(None);
    }
    String::from_utf8(bytes).map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_limit_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read_text_within(&path, 4).unwrap().as_deref(), Some("four"));
        assert_eq!(read_text_within(&path, 3).unwrap(), None);
        assert_eq!(read_text_within(Path::new("/dev/zero"), 1 << 20).unwrap(), None);
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text_within(&path, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
