//! Mounts: which files of the host a guest can access, and at which path.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use serde::{Serialize, Serializer};

use crate::FileSystem;
use isolette_types::Error;

/// The access of a guest to the files of a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// List and read.
    ReadOnly,
    /// List, read, create, write, rename and remove, but not create links.
    ReadWrite,
}

impl FromStr for Access {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "ro" | "read-only" => Ok(Self::ReadOnly),
            "rw" | "read-write" => Ok(Self::ReadWrite),
            other => Err(Error::invalid(format!("unknown access `{other}`"), "use `ro` or `rw`")),
        }
    }
}

/// A tree of files that is mounted at one path of the guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mount {
    /// The files that are mounted.
    #[serde(flatten)]
    pub source: MountSource,
    /// The path in the guest: absolute, without a trailing slash, `.` or `..`.
    pub guest: String,
    /// What the guest may do there.
    pub access: Access,
}

/// The source of a mount's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum MountSource {
    /// A directory of the host. Links inside it are followed only while they stay inside it.
    #[serde(rename = "host")]
    Directory(PathBuf),
    /// A file system that the embedder implements.
    #[serde(rename = "file_system")]
    FileSystem(NamedFileSystem),
}

/// A file system that the embedder implements, with a name for messages. Two values are equal if they share the same
/// implementation.
#[derive(Clone)]
pub struct NamedFileSystem {
    name: String,
    system: Arc<dyn FileSystem>,
}

impl NamedFileSystem {
    /// Returns the name, for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the implementation.
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
    /// Mounts a directory of the host. Whether it exists is checked when the sandbox is built.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `guest` is not an absolute path below `/`, or is `/tmp`, which is the guest's own.
    pub fn new(host: impl AsRef<Path>, guest: &str, access: Access) -> Result<Self, Error> {
        Self::of(MountSource::Directory(host.as_ref().to_owned()), guest, access)
    }

    /// Mounts a file system of the embedder: an archive, an object store, a mock, or a wrapper around a `Directory`.
    /// `name` is shown in explanations of the policy.
    ///
    /// # Errors
    /// The errors of [`Mount::new`].
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

    /// Returns the directory on the host. `None` for a file system of the embedder.
    #[must_use]
    pub fn host(&self) -> Option<&Path> {
        match &self.source {
            MountSource::Directory(path) => Some(path),
            MountSource::FileSystem(_) => None,
        }
    }

    /// Returns whether the guest may change files in it.
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
