//! What WASI says of a file.

use std::hash::{DefaultHasher, Hash, Hasher};

use isolette_abi::files::{FileError, Kind, Status};

use super::{FileSystem, GuestPath, Handle};
use crate::{
    bindings::exports::wasi::filesystem::types::{
        DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue, NewTimestamp,
    },
    clocks::{datetime, nanoseconds},
    waist::Wall,
};

impl FileSystem {
    /// Tells files apart as an inode's number does. Programs ask it of every entry they list, so that it never costs a
    /// question to the host.
    pub(crate) fn identity(&self, path: &GuestPath) -> MetadataHashValue {
        match self.resolve(path) {
            Ok(handle) => identity(&handle, path),
            Err(_) => hash(path.as_str()),
        }
    }
}

/// The same for a file that was found at `path`.
pub(crate) fn identity(handle: &Handle, path: &GuestPath) -> MetadataHashValue {
    match handle {
        Handle::Memory(node) => hash(node.id),
        Handle::Host { name, .. } => hash(name.path().as_ref().unwrap_or(path).as_str()),
        Handle::Way | Handle::Null => hash(path.as_str()),
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

pub(crate) fn descriptor_stat(status: Status) -> DescriptorStat {
    let modified = Some(datetime(status.modified));
    DescriptorStat {
        type_: descriptor_type(status.kind),
        link_count: 1,
        size: status.size,
        data_access_timestamp: modified,
        data_modification_timestamp: modified,
        status_change_timestamp: modified,
    }
}

/// What is said of `/dev/null`.
pub(crate) fn null_stat(stat: DescriptorStat) -> DescriptorStat {
    DescriptorStat { type_: DescriptorType::CharacterDevice, ..stat }
}

pub(crate) fn descriptor_type(kind: Kind) -> DescriptorType {
    match kind {
        Kind::File => DescriptorType::RegularFile,
        Kind::Directory => DescriptorType::Directory,
        Kind::Other => DescriptorType::Unknown,
    }
}

/// The time that is asked for; `None` to leave it as it is.
pub(crate) fn timestamp(wall: &mut Wall, new: NewTimestamp) -> Option<u64> {
    match new {
        NewTimestamp::NoChange => None,
        NewTimestamp::Now => Some(wall.wall_clock()),
        NewTimestamp::Timestamp(time) => Some(nanoseconds(time)),
    }
}

impl From<FileError> for ErrorCode {
    fn from(error: FileError) -> Self {
        match error {
            // Programs know a refusal by EACCES; few of them look for EROFS.
            FileError::Access | FileError::ReadOnly => Self::Access,
            FileError::BadDescriptor => Self::BadDescriptor,
            FileError::Busy => Self::Busy,
            FileError::Exists => Self::Exist,
            FileError::FileTooLarge => Self::FileTooLarge,
            FileError::Invalid => Self::Invalid,
            FileError::Io => Self::Io,
            FileError::IsDirectory => Self::IsDirectory,
            FileError::LinkLoop => Self::Loop,
            FileError::TooManyFiles => Self::Quota,
            FileError::NameTooLong => Self::NameTooLong,
            FileError::NotFound => Self::NoEntry,
            FileError::NotDirectory => Self::NotDirectory,
            FileError::NotEmpty => Self::NotEmpty,
            FileError::NoSpace => Self::InsufficientSpace,
            FileError::Unsupported => Self::Unsupported,
            FileError::CrossDevice => Self::CrossDevice,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_what_programs_expect_of_them() {
        assert_eq!(ErrorCode::from(FileError::ReadOnly), ErrorCode::Access);
        assert_eq!(ErrorCode::from(FileError::NotFound), ErrorCode::NoEntry);
        assert_eq!(ErrorCode::from(FileError::NoSpace), ErrorCode::InsufficientSpace);
        assert_eq!(ErrorCode::from(FileError::Exists), ErrorCode::Exist);
    }

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
