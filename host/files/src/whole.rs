//! Reads and writes whole files for the embedder, under the same rules as for a guest: a path that a guest could not
//! reach is not reachable for the embedder either, whatever a guest has put there.

use isolette_abi::CHUNK_LIMIT;

use super::{Files, Quota, place::Place};
use isolette_policy::{Entry, FileError, Kind};
use isolette_types::{DirectoryEntry, Error, Unit};

/// Maximum number of entries in one listing.
const ENTRIES: usize = 10_000;

impl Files {
    /// Reads a file of at most `limit` bytes.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if the file is longer; [`Error::InvalidArgument`] if it cannot be read.
    pub fn read_whole(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        let explained = |error| explain("read", path, error);
        let place = self.at(path).map_err(explained)?;
        let size = place.stat().map_err(explained)?.size;
        let mut bytes = Vec::new();
        loop {
            let used = bytes.len() as u64;
            // The file may have grown in the meantime.
            if size.max(used) > limit {
                return Err(Error::LimitExceeded { what: "the file", unit: Unit::Bytes, limit, used: size.max(used) });
            }
            let chunk = place.read(used, u32::try_from(CHUNK_LIMIT).unwrap_or(u32::MAX)).map_err(explained)?;
            if chunk.is_empty() {
                return Ok(bytes);
            }
            bytes.extend_from_slice(&chunk);
        }
    }

    /// Writes a file, replacing an existing one, and creates missing parent directories. It is charged as if the guest
    /// had written it.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if a limit of the policy is hit; [`Error::InvalidArgument`] if the file cannot be
    /// written.
    pub fn write_whole(&self, path: &str, bytes: &[u8], quota: &mut Quota) -> Result<(), Error> {
        let written = self.writable(path).and_then(|place| put(&place, bytes, quota));
        written.map_err(|error| refused("write", path, error, quota))
    }

    /// Creates a directory, in one that exists. It is charged as if the guest had created it.
    ///
    /// # Errors
    /// As of [`Files::write_whole`].
    pub fn create_directory(&self, path: &str, quota: &mut Quota) -> Result<(), Error> {
        let created = self.writable(path).and_then(|place| quota.create(&place, Kind::Directory));
        created.map_err(|error| refused("create", path, error, quota))
    }

    /// Lists the entries of a directory, sorted by path, with whether there are more than are listed. The listing ends
    /// after 10,000 entries.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the directory cannot be listed.
    pub fn list_whole(&self, path: &str) -> Result<(Vec<DirectoryEntry>, bool), Error> {
        let trimmed = path.trim_end_matches('/');
        let path = if trimmed.is_empty() { path } else { trimmed };
        let explained = |error| explain("list", path, error);
        let place = self.at(path).map_err(explained)?;
        let mut entries = Vec::new();
        loop {
            let (listed, more) = place.list(u32::try_from(entries.len()).unwrap_or(u32::MAX)).map_err(explained)?;
            for Entry { name, kind } in listed {
                let path = format!("{path}/{name}");
                // An entry that no longer exists, or leads out of the mount, has size 0.
                let status = self.at(&path).and_then(|place| place.stat());
                let size = status.map_or(0, |status| if kind == Kind::File { status.size } else { 0 });
                entries.push(DirectoryEntry::new(path, kind == Kind::Directory, size));
            }
            if !more || entries.len() >= ENTRIES {
                return Ok((entries, more));
            }
        }
    }
}

/// Writes a file. If it does not fit, nothing is created and no existing data is lost.
fn put(place: &Place<'_>, bytes: &[u8], quota: &mut Quota) -> Result<(), FileError> {
    let before = match place.stat().map(|status| (status.kind, status.size)) {
        Ok((Kind::File, size)) => Some(size),
        Ok((Kind::Directory, _)) => return Err(FileError::IsDirectory),
        Ok((Kind::Other, _)) => return Err(FileError::Access),
        Err(FileError::NotFound) => None,
        Err(error) => return Err(error),
    };
    quota.fits(before.unwrap_or(0), bytes.len() as u64)?;
    match before {
        Some(before) => replace(place, before, bytes, quota),
        None => make(place, bytes, quota),
    }
}

fn make(place: &Place<'_>, bytes: &[u8], quota: &mut Quota) -> Result<(), FileError> {
    let part = |end| Place { path: &place.path[..end], ..*place };
    let directories = place.path.match_indices('/').map(|(end, _)| (end, Kind::Directory));
    let mut made = Vec::new();
    let work = || {
        for (end, kind) in directories.chain([(place.path.len(), Kind::File)]) {
            if kind == Kind::File || part(end).stat() == Err(FileError::NotFound) {
                quota.create(&part(end), kind)?;
                made.push((end, kind));
            }
        }
        write(place, 0, bytes, quota)
    };
    let done = work();
    if done.is_err() {
        for (end, kind) in made.into_iter().rev() {
            let _ = quota.remove(&part(end), kind);
        }
    }
    done
}

fn replace(place: &Place<'_>, before: u64, bytes: &[u8], quota: &mut Quota) -> Result<(), FileError> {
    let (inside, beyond) = bytes.split_at(bytes.len().min(usize::try_from(before).unwrap_or(usize::MAX)));
    // Write the additional bytes first, for which the disk may have no space, while the existing contents are intact.
    if let Err(error) = write(place, before, beyond, quota) {
        let _ = quota.resize(place, before);
        return Err(error);
    }
    write(place, 0, inside, quota)?;
    let length = bytes.len() as u64;
    if length < before { quota.resize(place, length) } else { Ok(()) }
}

fn write(place: &Place<'_>, start: u64, bytes: &[u8], quota: &mut Quota) -> Result<(), FileError> {
    let mut chunks = bytes.chunks(CHUNK_LIMIT).enumerate();
    chunks.try_for_each(|(index, chunk)| quota.write(place, Some(start + (index * CHUNK_LIMIT) as u64), chunk))
}

/// The limit that was reached, or what else is wrong.
fn refused(what: &str, path: &str, error: FileError, quota: &mut Quota) -> Error {
    match quota.limit_hit() {
        Some(limit_hit) => Error::LimitExceeded {
            what: limit_hit.name.as_str(),
            unit: limit_hit.name.unit(),
            limit: limit_hit.limit,
            used: limit_hit.used,
        },
        None => explain(what, path, error),
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
            ("this cannot be a path", "give an absolute path without empty parts, `.` and `..`, of at most 4096 bytes")
        }
        _ => ("the system refused it", "try another path"),
    };
    Error::invalid(format!("cannot {what} `{}`: {reason}", path.escape_debug()), hint)
}
