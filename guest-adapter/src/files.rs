//! `isolette:sandbox/files`: the same file tree as in WASI, by path.

use isolette_abi::files::{FileError, Kind, Lock};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::files as wit,
    filesystem::{FileSystem, GuestPath, Wanted},
    host_calls::HostCalls,
    state,
};

fn with<R>(
    path: &str,
    operation: impl FnOnce(&mut FileSystem, &mut HostCalls, &GuestPath) -> Result<R, FileError>,
) -> Result<R, wit::FileError> {
    Ok(state::with(|state| {
        let path = state.files.walk(&mut state.calls, path)?;
        operation(&mut state.files, &mut state.calls, &path)
    })?)
}

impl wit::Guest for Component {
    fn stat(path: String) -> Result<wit::Status, wit::FileError> {
        let status = with(&path, |files, calls, path| files.stat(calls, path))?;
        Ok(wit::Status { kind: status.kind.into(), size: status.size, modified: status.modified })
    }

    fn read(path: String, offset: u64, length: u32) -> Result<Vec<u8>, wit::FileError> {
        with(&path, |files, calls, path| {
            let handle = files.locate(calls, path)?;
            files.read(calls, &handle, offset, length)
        })
    }

    fn write(path: String, offset: Option<u64>, bytes: Vec<u8>) -> Result<(), wit::FileError> {
        with(&path, |files, calls, path| {
            let handle = files.locate(calls, path)?;
            files.write(calls, &handle, offset, &bytes)
        })
    }

    fn list_directory(path: String) -> Result<Vec<wit::Entry>, wit::FileError> {
        let entries = with(&path, |files, calls, path| files.list(calls, path))?;
        Ok(entries.into_iter().map(|(name, kind)| wit::Entry { name, kind: kind.into() }).collect())
    }

    fn create(path: String, kind: wit::Kind) -> Result<(), wit::FileError> {
        with(&path, |files, calls, path| files.create(calls, path, kind.into()))
    }

    fn remove(path: String, kind: wit::Kind) -> Result<(), wit::FileError> {
        with(&path, |files, calls, path| files.remove(calls, path, kind.into()))
    }

    fn rename(source: String, target: String) -> Result<(), wit::FileError> {
        with(&source, |files, calls, source| {
            let target = files.walk(calls, &target)?;
            files.rename(calls, source, &target)
        })
    }

    fn resize(path: String, size: u64) -> Result<(), wit::FileError> {
        with(&path, |files, calls, path| {
            let handle = files.locate(calls, path)?;
            files.resize(calls, &handle, size)
        })
    }

    fn set_modified(path: String, modified: u64) -> Result<(), wit::FileError> {
        with(&path, |files, calls, path| {
            let handle = files.locate(calls, path)?;
            files.set_modified(calls, &handle, modified)
        })
    }

    fn lock(path: String, kind: wit::LockKind, start: u64, length: u64) -> Result<bool, wit::FileError> {
        let lock = match kind {
            wit::LockKind::None => Lock::Unlock,
            wit::LockKind::Shared => Lock::Shared,
            wit::LockKind::Exclusive => Lock::Exclusive,
        };
        with(&path, |files, calls, path| {
            let handle = files.locate(calls, path)?;
            files.lock(calls, &handle, Wanted { lock, start, length, test: false })
        })
    }
}

impl From<Kind> for wit::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::File => Self::File,
            Kind::Directory => Self::Directory,
            Kind::Other => Self::Other,
        }
    }
}

impl From<wit::Kind> for Kind {
    fn from(kind: wit::Kind) -> Self {
        match kind {
            wit::Kind::File => Self::File,
            wit::Kind::Directory => Self::Directory,
            wit::Kind::Other => Self::Other,
        }
    }
}

impl From<FileError> for wit::FileError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Access => Self::Access,
            FileError::BadDescriptor => Self::BadDescriptor,
            FileError::Busy => Self::Busy,
            FileError::Exists => Self::Exists,
            FileError::FileTooLarge => Self::FileTooLarge,
            FileError::Invalid => Self::Invalid,
            FileError::Io => Self::Io,
            FileError::IsDirectory => Self::IsDirectory,
            FileError::LinkLoop => Self::LinkLoop,
            FileError::TooManyFiles => Self::TooManyFiles,
            FileError::NameTooLong => Self::NameTooLong,
            FileError::NotFound => Self::NotFound,
            FileError::NotDirectory => Self::NotDirectory,
            FileError::NotEmpty => Self::NotEmpty,
            FileError::NoSpace => Self::NoSpace,
            FileError::Unsupported => Self::Unsupported,
            FileError::ReadOnly => Self::ReadOnly,
            FileError::CrossDevice => Self::CrossDevice,
        }
    }
}
