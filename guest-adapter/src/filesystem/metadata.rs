//! The identity of files.

use std::hash::{DefaultHasher, Hash, Hasher};

use isolette_abi::files::FileError;

use super::{FileSystem, GuestPath, Handle};
use crate::{bindings::exports::wasi::filesystem::types::MetadataHashValue, host_calls::HostCalls};

impl FileSystem {
    /// Returns the identity of a file, like an inode number. On a mount it is the host's reply, which also answers the request
    /// for the size that follows. Entries of a directory that is being listed are identified by their names, so that they cause
    /// no host call.
    pub(crate) fn identity(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Result<MetadataHashValue, FileError> {
        let listed = self.listed.take(path);
        match self.resolve(path) {
            Ok(handle) if listed => Ok(identity(&handle, path, None)),
            Ok(handle) => self.identity_of(calls, &handle, path),
            Err(_) => Ok(hash(path.as_str())),
        }
    }

    /// The same for an open file at `path`.
    pub(crate) fn identity_of(
        &mut self,
        calls: &mut HostCalls,
        handle: &Handle,
        path: &GuestPath,
    ) -> Result<MetadataHashValue, FileError> {
        let file = match handle {
            Handle::Host { name, .. } if name.unnamed().is_some() => None,
            Handle::Host { name, writable } => match self.host.file(calls, &name.path()?, *writable) {
                // A directory that contains mounts, which the host does not have.
                Err(FileError::NotFound) if self.mounts.holds(path) => None,
                file => file?,
            },
            _ => None,
        };
        Ok(identity(handle, path, file))
    }
}

/// Without an identity from the host, files on mounts are identified by their names.
pub(crate) fn identity(handle: &Handle, path: &GuestPath, file: Option<u64>) -> MetadataHashValue {
    match (handle, file) {
        (Handle::Memory(node), _) => hash(node.id),
        (Handle::Host { name, .. }, file) => match (name.unnamed(), file) {
            (Some(unnamed), _) => unnamed.identity,
            (None, Some(file)) => hash(("on the host", file)),
            (None, None) => hash(name.path().as_ref().unwrap_or(path).as_str()),
        },
        (Handle::MountParent | Handle::Null, _) => hash(path.as_str()),
    }
}

fn hash(of: impl Hash) -> MetadataHashValue {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, &of).hash(&mut hasher);
        hasher.finish()
    };
    MetadataHashValue { lower: half(0), upper: half(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_depends_on_all_of_what_is_hashed() {
        let halves = |of: &str| {
            let hash = hash(of);
            [hash.lower, hash.upper]
        };
        assert_eq!(halves("/a"), halves("/a"));
        assert!(halves("/a").iter().zip(halves("/b")).all(|(a, b)| *a != b));
        assert_ne!(halves("/a")[0], halves("/a")[1]);
    }
}
