//! The files of a sandbox on the host: those in `/workspace` and `/output` of its guests.

use std::{
    collections::HashSet,
    fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, Metadata, OpenOptions, OpenOptionsExt as _},
};
use http::StatusCode;
use isolette::Error;
use rustix::fs::OFlags;

use crate::{WORKSPACE, failure::Failure};

/// Maximum number of entries that are listed.
pub(super) const LISTED: usize = 10_000;

/// Maximum depth of folders that are listed together.
pub(super) const DEPTH: u32 = 64;

/// The most that a list takes in memory, with names of usual length, in bytes.
pub(crate) const LIST: u64 = 400 * LISTED as u64;

/// The folder of a sandbox, with a folder for each of its mounts.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

/// An entry of a folder.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    pub(crate) name: String,
    pub(crate) kind: FileKind,
    pub(crate) size: u64,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Directory,
    Other,
}

impl FileKind {
    pub(super) fn of(metadata: &Metadata) -> Self {
        match metadata.file_type() {
            kind if kind.is_file() => Self::File,
            kind if kind.is_dir() => Self::Directory,
            _ => Self::Other,
        }
    }
}

impl Folder {
    pub(crate) fn of(path: PathBuf) -> Self {
        Self(path)
    }

    /// Makes the folders.
    pub(crate) fn create(&self) -> Result<(), Error> {
        let create = |name| fs::create_dir_all(self.0.join(name));
        create("workspace").and_then(|()| create("output")).map_err(|error| self.failed(error))
    }

    /// Removes all files.
    pub(crate) fn remove(&self) -> Result<(), Error> {
        match fs::remove_dir_all(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failed(error)),
            _ => Ok(()),
        }
    }

    /// The folder, in which no path leads outside.
    pub(crate) fn open(&self) -> Result<Dir, Error> {
        Dir::open_ambient_dir(&self.0, ambient_authority()).map_err(|error| self.failed(error))
    }

    /// Removes the folders of sandboxes that do not exist.
    pub(crate) fn remove_unknown(root: &Path, known: &HashSet<String>) -> Result<(), Error> {
        let sweep = || {
            fs::create_dir_all(root)?;
            for entry in fs::read_dir(root)? {
                let entry = entry?;
                if entry.file_name().to_str().is_none_or(|name| !known.contains(name)) {
                    fs::remove_dir_all(entry.path())?;
                }
            }
            Ok(())
        };
        sweep().map_err(|error| Error::io(format!("cannot read `{}`", root.display()), error))
    }

    /// Does work with the files on a thread that may block.
    pub(crate) async fn within<T: Send + 'static>(
        self,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "Io", "the files cannot be used", "try again");
        tokio::task::spawn_blocking(move || work(&self)).await.map_err(failed)?
    }

    /// Opens a regular file of at most `limit` bytes, and returns it with its length.
    pub(crate) fn open_file(&self, path: &str, limit: u64) -> Result<(fs::File, u64), Failure> {
        let inner = inner(path)?;
        let root = self.open()?;
        let refused = |error: io::Error| refused(path, &error);
        // What is no regular file must not be waited for.
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed());
        let file = root.open_with(&inner, &options).map_err(refused)?;
        let metadata = file.metadata().map_err(refused)?;
        if !metadata.is_file() {
            return Err(not_a_file(path));
        }
        if metadata.len() > limit {
            return Err(too_large(path, limit));
        }
        Ok((file.into_std(), metadata.len()))
    }

    /// Reads the beginning of a regular file, of at most `length` bytes.
    pub(crate) fn read_beginning(&self, path: &str, length: u64) -> Result<Vec<u8>, Failure> {
        let (file, _) = self.open_file(path, u64::MAX)?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).map_err(|error| refused(path, &error))?;
        Ok(bytes)
    }

    /// Writes a file as a whole, and makes the folders above it.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let inner = inner(path)?;
        let root = self.open()?;
        let refused = |error: io::Error| refused(path, &error);
        let (parent, name) = match (inner.parent(), inner.file_name()) {
            (Some(parent), Some(name)) if inner.components().count() > 1 => (parent, name),
            _ => return Err(not_a_file(path)),
        };
        root.create_dir_all(parent).map_err(refused)?;
        let folder = root.open_dir(parent).map_err(refused)?;
        if folder.metadata(name).is_ok_and(|found| found.is_dir()) {
            return Err(not_a_file(path));
        }
        let draft = format!(".{}.upload", crate::id::random("file"));
        let write = || {
            let mut file = folder.create(&draft)?;
            file.write_all(bytes)?;
            folder.rename(&draft, &folder, name)
        };
        write().map_err(|error| {
            let _ = folder.remove_file(&draft);
            refused(error)
        })
    }

    /// Removes a file, or a folder with everything in it.
    pub(crate) fn delete(&self, path: &str) -> Result<(), Failure> {
        let inner = inner(path)?;
        if inner.components().count() == 1 {
            return Err(Failure::invalid(format!("`{path}` is always there"), "name what is in it"));
        }
        let root = self.open()?;
        let refused = |error: io::Error| refused(path, &error);
        let found = root.symlink_metadata(&inner).map_err(refused)?;
        match found.is_dir() {
            true => root.remove_dir_all(&inner).map_err(refused),
            false => root.remove_file(&inner).map_err(refused),
        }
    }

    /// The path in guests of a directory that exists.
    pub(crate) fn directory(&self, path: &str) -> Result<String, Failure> {
        let inner = inner(path)?;
        let metadata = self.open()?.metadata(&inner).map_err(|error| refused(path, &error))?;
        if !metadata.is_dir() {
            return Err(Failure::invalid(format!("`{}` is not a directory", shown(path)), "name a directory"));
        }
        Ok(format!("/{}", inner.display()).trim_end_matches('/').to_owned())
    }

    /// Lists a folder, sorted by name. The second value says whether there are more entries than are listed.
    pub(crate) fn list(&self, path: &str) -> Result<(Vec<ListedFile>, bool), Failure> {
        let inner = inner(path)?;
        let root = self.open()?;
        let refused = |error: io::Error| refused(path, &error);
        let mut listed = Vec::new();
        for entry in root.read_dir(&inner).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            if listed.len() == LISTED {
                return Ok((sorted(listed), true));
            }
            let metadata = entry.metadata().map_err(refused)?;
            let kind = FileKind::of(&metadata);
            let size = if kind == FileKind::File { metadata.len() } else { 0 };
            listed.push(ListedFile { name: entry.file_name().to_string_lossy().into_owned(), kind, size });
        }
        Ok((sorted(listed), false))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::io(format!("cannot use the files in `{}`", self.0.display()), error)
    }
}

fn sorted(mut listed: Vec<ListedFile>) -> Vec<ListedFile> {
    listed.sort_by(|one, other| one.name.cmp(&other.name));
    listed
}

/// The path in the folder of the sandbox for one in its guests. Relative paths are in `/workspace`.
pub(super) fn inner(path: &str) -> Result<PathBuf, Failure> {
    let (mount, rest) = match path.strip_prefix('/') {
        None => (&WORKSPACE[1..], path),
        Some(absolute) => absolute.split_once('/').unwrap_or((absolute, "")),
    };
    let parts: Vec<_> = rest.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let is_plain = |part: &&str| *part != ".." && !part.contains('\0');
    if !["workspace", "output"].contains(&mount) || !parts.iter().all(is_plain) {
        return Err(Failure::invalid(
            format!(
                "`{}` is no path of a file of this sandbox",
                path.chars().take(200).collect::<String>().escape_debug()
            ),
            "name a path in `/workspace` or `/output`, without `..`; a relative path is in `/workspace`",
        ));
    }
    if parts.len() > DEPTH as usize {
        let hint = "use fewer levels of folders: snapshots and forks have no more";
        return Err(Failure::invalid(format!("`{}` has more than {DEPTH} levels", shown(path)), hint));
    }
    Ok(Path::new(mount).join(parts.join("/")))
}

pub(super) fn shown(path: &str) -> String {
    path.chars().take(200).collect::<String>().escape_debug().to_string()
}

fn not_a_file(path: &str) -> Failure {
    Failure::invalid(format!("`{}` is not a regular file", shown(path)), "name a file, and not a directory")
}

fn too_large(path: &str, limit: u64) -> Failure {
    let message = format!("`{}` has more than {limit} bytes", shown(path));
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", message, "raise `file_bytes` of the server, or split it")
}

pub(super) fn refused(path: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound => {
            let hint = "list the files of the sandbox; files in `/tmp` are in the memory of a context";
            Failure::new(StatusCode::NOT_FOUND, "NotFound", format!("there is no file `{}`", shown(path)), hint)
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Failure::storage_full(
            format!("`{}` cannot be written: {error}", shown(path)),
            "the disk of the server is full: tell its operator, or delete files",
        ),
        _ => Failure::invalid(format!("`{}` cannot be used: {error}", shown(path)), "check what kind of file it is"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_sandbox() {
        for (path, expected) in [
            ("a.txt", "workspace/a.txt"),
            ("/workspace/a/b", "workspace/a/b"),
            ("/workspace//a/./b/", "workspace/a/b"),
            ("/output", "output/"),
            ("", "workspace/"),
        ] {
            assert_eq!(inner(path).ok(), Some(PathBuf::from(expected)), "{path}");
        }
        assert!(inner(&"a/".repeat(64)).is_ok() && inner(&"a/".repeat(65)).is_err());
        for path in ["/tmp/a", "/etc/passwd", "../a", "/workspace/../../a", "/", "a\0b", "//etc", "/workspaces/a"] {
            assert!(inner(path).is_err(), "{path}");
        }
    }

    #[test]
    fn links_do_not_lead_out() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::of(root.path().join("sandbox"));
        folder.create().unwrap();
        fs::write(root.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(root.path(), root.path().join("sandbox/workspace/out")).unwrap();
        std::os::unix::fs::symlink(root.path().join("secret"), root.path().join("sandbox/workspace/link")).unwrap();
        for path in ["out/secret", "link"] {
            assert!(folder.open_file(path, 100).is_err(), "{path}");
            assert_eq!(folder.write(path, b"x").is_err(), path == "out/secret", "{path}");
        }
        assert_eq!(fs::read(root.path().join("secret")).unwrap(), b"secret");
        folder.write("a/b.txt", b"b").unwrap();
        let (mut file, length) = folder.open_file("/workspace/a/b.txt", 1).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!((&bytes[..], length), (&b"b"[..], 1));
        assert!(folder.open_file("a/b.txt", 0).is_err());
        assert_eq!(folder.read_beginning("a/b.txt", 0).unwrap(), b"");
        folder.remove().unwrap();
        assert!(root.path().join("secret").exists());
    }
}
