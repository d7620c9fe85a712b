//! Which directories of the host a guest sees, and where.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::Serialize;

use crate::Error;

/// What a guest may do in a mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Look and read.
    ReadOnly,
    /// Everything that files are good for, except links.
    ReadWrite,
}

/// One directory of the host's, seen at one path of the guest's. Links inside it are followed only while they stay
/// inside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mount {
    /// The host's directory.
    pub host: PathBuf,
    /// The guest's path: absolute, without a trailing slash, `.` or `..`.
    pub guest: String,
    /// What the guest may do there.
    pub access: Access,
}

impl Mount {
    /// Checks the guest's path. Whether the host's directory is there is found out when the sandbox is built.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `guest` is not an absolute path below `/`, or is `/tmp`, which is the guest's own.
    pub fn new(host: impl AsRef<Path>, guest: &str, access: Access) -> Result<Self, Error> {
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
        Ok(Self { host: host.as_ref().to_owned(), guest: normal.to_owned(), access })
    }

    pub(crate) fn writable(&self) -> bool {
        self.access == Access::ReadWrite
    }
}

impl fmt::Display for Mount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let access = match self.access {
            Access::ReadOnly => "read-only",
            Access::ReadWrite => "read-write",
        };
        write!(formatter, "{} ({access}) from {}", self.guest, self.host.display())
    }
}
