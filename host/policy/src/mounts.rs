//! What a guest sees of the host's files, and where.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Serialize, Serializer};

use crate::FileSystem;
use isolette_types::Error;

/// What a guest may do in a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Look and read.
    ReadOnly,
    /// Everything that files are good for, except links.
    ReadWrite,
}

/// A tree of files, seen at one path of the guest's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mount {
    /// What is seen.
    #[serde(flatten)]
    pub source: MountSource,
    /// The guest's path: absolute, without a trailing slash, `.` or `..`.
    pub guest: String,
    /// What the guest may do there.
    pub access: Access,
}

/// What a mount shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum MountSource {
    /// A directory of the host's. Links inside it are followed only while they stay inside it.
    #[serde(rename = "host")]
    Directory(PathBuf),
    /// A file system of the embedder's own.
    #[serde(rename = "file_system")]
    FileSystem(NamedFileSystem),
}

/// A file system of the embedder's own, with what people know it by. Two are the same if they are one.
#[derive(Clone)]
pub struct NamedFileSystem {
    name: String,
    system: Arc<dyn FileSystem>,
}

impl NamedFileSystem {
    /// What people know it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What serves its files.
    pub fn system(&self) -> Arc<dyn FileSystem> {
        Arc::clone(&self.system)
    }
}

impl fmt::Debug for NamedFileSystem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("NamedFileSystem").field(&self.name).finish()
    }
}

impl PartialEq for NamedFileSystem {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.system, &other.system)
    }
}

impl Eq for NamedFileSystem {}

impl Serialize for NamedFileSystem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

impl Mount {
    /// Shows a directory of the host's. Whether it is there is found out when the sandbox is built.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `guest` is not an absolute path below `/`, or is `/tmp`, which is the guest's own.
    pub fn new(host: impl AsRef<Path>, guest: &str, access: Access) -> Result<Self, Error> {
        Self::of(MountSource::Directory(host.as_ref().to_owned()), guest, access)
    }

    /// Shows a file system of the embedder's own: an archive, an object store, a mock, or a
    /// `Directory` with something around it. `name` is what people know it by, in
    /// explanations.
    ///
    /// # Errors
    /// As [`Mount::new`].
    pub fn file_system(
        name: impl Into<String>,
        system: impl FileSystem,
        guest: &str,
        access: Access,
    ) -> Result<Self, Error> {
        let system = NamedFileSystem { name: name.into(), system: Arc::new(system) };
        Self::of(MountSource::FileSystem(system), guest, access)
    }

    fn of(source: MountSource, guest: &str, access: Access) -> Result<Self, Error> {
        let bad = |why: &str| {
            Error::invalid(
                format!("mount path `{}` {why}", guest.escape_debug()),
                "give an absolute path of the guest's such as `/input` or `/data/models`",
            )
        };
        let normal = guest.trim_end_matches('/');
        if !guest.starts_with('/') || normal.is_empty() {
            return Err(bad("is not an absolute path below `/`"));
        }
        if normal[1..].split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(bad("has an empty, `.` or `..` part"));
        }
        if normal.contains('\0') || normal.len() > 1024 {
            return Err(bad("has a NUL or is longer than 1024 bytes"));
        }
        if normal == "/tmp" || normal.starts_with("/tmp/") {
            return Err(bad("is inside `/tmp`, which every guest has in its own memory"));
        }
        Ok(Self { source, guest: normal.to_owned(), access })
    }

    /// The host's directory, if it shows one.
    #[must_use]
    pub fn host(&self) -> Option<&Path> {
        match &self.source {
            MountSource::Directory(path) => Some(path),
            MountSource::FileSystem(_) => None,
        }
    }

    /// Whether the guest may change files in it.
    pub fn writable(&self) -> bool {
        self.access == Access::ReadWrite
    }
}

impl fmt::Display for Mount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let access = match self.access {
            Access::ReadOnly => "read-only",
            Access::ReadWrite => "read-write",
        };
        write!(formatter, "{} ({access}) from ", self.guest)?;
        match &self.source {
            MountSource::Directory(path) => path.display().fmt(formatter),
            MountSource::FileSystem(system) => system.name.fmt(formatter),
        }
    }
}
