//! File metadata and errors in the form of WASI.

use isolette_abi::files::{FileError, Kind, Status};

use super::clocks::{datetime, nanoseconds};
use crate::{
    bindings::exports::wasi::filesystem::types::{DescriptorStat, DescriptorType, ErrorCode, NewTimestamp},
    host_calls::HostCalls,
};

pub(super) fn descriptor_stat(status: Status) -> DescriptorStat {
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

/// The metadata of `/dev/null`.
pub(super) fn null_stat(stat: DescriptorStat) -> DescriptorStat {
    DescriptorStat { type_: DescriptorType::CharacterDevice, ..stat }
}

pub(super) fn descriptor_type(kind: Kind) -> DescriptorType {
    match kind {
        Kind::File => DescriptorType::RegularFile,
        Kind::Directory => DescriptorType::Directory,
        Kind::Other => DescriptorType::Unknown,
    }
}

/// The requested time; `None` to keep the current one.
pub(super) fn timestamp(calls: &mut HostCalls, new: NewTimestamp) -> Option<u64> {
    match new {
        NewTimestamp::NoChange => None,
        NewTimestamp::Now => Some(calls.wall_clock()),
        NewTimestamp::Timestamp(time) => Some(nanoseconds(time)),
    }
}

impl From<FileError> for ErrorCode {
    fn from(error: FileError) -> Self {
        match error {
            // Programs expect EACCES for a denied operation; few check for EROFS.
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
}
