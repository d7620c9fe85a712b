//! Whole files for the embedder, under the same rules as for a guest: what a guest could not reach by a path, the
//! embedder does not reach by it either, whatever a guest has put there.

use isolette_abi::CHUNK_LIMIT;

use super::{
    Files,
    system::{Entry, FileError, Kind},
};
use crate::{Error, outcome::DirectoryEntry};

/// Entries that one listing has.
const ENTRIES: usize = 10_000;

impl Files {
    /// Reads a file of at most `limit` bytes.
    pub(crate) fn read_whole(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        let told = |error| explain("read", path, error);
        let place = self.at(path).map_err(told)?;
        let size = place.stat().map_err(told)?.size;
        let mut bytes = Vec::new();
        loop {
            let used = bytes.len() as u64;
            // It may have grown in the meantime.
            if size.max(used) > limit {
                return Err(Error::LimitExceeded { what: "the file", limit, used: size.max(used) });
            }
            let chunk = place.read(used, u32::try_from(CHUNK_LIMIT).unwrap_or(u32::MAX)).map_err(told)?;
            if chunk.is_empty() {
                return Ok(bytes);
            }
            bytes.extend_from_slice(&chunk);
        }
    }

    /// Writes a file anew, with the directories that lead to it.
    pub(crate) fn write_whole(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let told = |error| explain("write", path, error);
        let place = self.writable(path).map_err(told)?;
        let above = &path[..path.len() - place.path.len()];
        for (end, _) in place.path.match_indices('/') {
            let parent = format!("{above}{}", &place.path[..end]);
            match self.writable(&parent).map_err(told)?.create(Kind::Directory) {
                Ok(()) | Err(FileError::Exists) => {}
                Err(error) => return Err(told(error)),
            }
        }
        match place.create(Kind::File) {
            Ok(()) => {}
            Err(FileError::Exists) => place.resize(0).map_err(told)?,
            Err(error) => return Err(told(error)),
        }
        for (index, chunk) in bytes.chunks(CHUNK_LIMIT).enumerate() {
            place.write(Some((index * CHUNK_LIMIT) as u64), chunk).map_err(told)?;
        }
        Ok(())
    }

    /// What is in a directory, sorted by path, and whether there is more than is listed.
    pub(crate) fn list_whole(&self, path: &str) -> Result<(Vec<DirectoryEntry>, bool), Error> {
        let path = path.trim_end_matches('/');
        let told = |error| explain("list", path, error);
        let place = self.at(path).map_err(told)?;
        let mut entries = Vec::new();
        loop {
            let (listed, more) = place.list(u32::try_from(entries.len()).unwrap_or(u32::MAX)).map_err(told)?;
            for Entry { name, kind } in listed {
                let path = format!("{path}/{name}");
                // What is gone by now, or leads out of the mount, has no size.
                let status = self.at(&path).and_then(|place| place.stat());
                let size = status.map_or(0, |status| if kind == Kind::File { status.size } else { 0 });
                entries.push(DirectoryEntry { path, directory: kind == Kind::Directory, size });
            }
            if !more || entries.len() >= ENTRIES {
                return Ok((entries, more));
            }
        }
    }
}

fn explain(what: &str, path: &str, error: FileError) -> Error {
    let (reason, hint) = match error {
        FileError::NotFound => ("there is no such file", "list the directory above it"),
        FileError::IsDirectory => ("it is a directory", "name a file"),
        FileError::NotDirectory => ("it is not a directory", "name a directory, or read it as a file"),
        FileError::ReadOnly => ("it is mounted read-only", "write below `/output`"),
        FileError::Access => ("nothing but regular files inside a mount can be opened", "name a regular file"),
        FileError::NoSpace => ("there is no room left for it", "remove something first"),
        FileError::Invalid | FileError::NameTooLong => {
            ("this cannot be a path", "give an absolute path without `.` and `..`, of at most 4096 bytes")
        }
        _ => ("the system refused it", "try another path"),
    };
    Error::invalid(format!("cannot {what} `{}`: {reason}", path.escape_debug()), hint)
}
