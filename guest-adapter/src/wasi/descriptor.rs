//! `wasi:filesystem`: descriptors of files and directories.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use isolette_abi::files::{FileError, Kind, Lock};

use super::{
    metadata::{descriptor_stat, descriptor_type, null_stat, timestamp},
    streams::{Failure, Sink, Source},
};
use crate::{
    Component,
    bindings::exports::wasi::{
        filesystem::{
            preopens,
            types::{
                self, Advice, DescriptorBorrow, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry,
                ErrorBorrow, ErrorCode, Guest, GuestDescriptor, GuestDirectoryEntryStream, MetadataHashValue,
                NewTimestamp, OpenFlags, PathFlags,
            },
        },
        io::streams::{InputStream, OutputStream},
    },
    filesystem::{FileSystem, GuestPath, Handle, NULL, OpenOptions, identity, lock},
    host_calls::HostCalls,
    state,
};

/// An open file or directory.
pub(crate) struct Descriptor {
    path: GuestPath,
    handle: Handle,
    kind: Kind,
    flags: DescriptorFlags,
    /// The error of the latest write through a stream. A stream cannot report it, so the next `sync` does.
    failure: Rc<Cell<Option<FileError>>>,
}

impl Descriptor {
    fn new(path: GuestPath, handle: Handle, kind: Kind, flags: DescriptorFlags) -> Self {
        Self { path, handle, kind, flags, failure: Rc::default() }
    }

    /// A stream that writes to the file: from an offset that advances, or at its end.
    fn sink(&self, offset: Option<u64>) -> Result<OutputStream, ErrorCode> {
        let (handle, failure) = (self.writable()?.clone(), Rc::clone(&self.failure));
        Ok(OutputStream::new(Sink::File { handle, offset: Cell::new(offset), failure }))
    }

    /// The file, if it was opened for reading.
    fn readable(&self) -> Result<&Handle, ErrorCode> {
        self.file(DescriptorFlags::READ)
    }

    /// The file, if it was opened for writing.
    fn writable(&self) -> Result<&Handle, ErrorCode> {
        self.file(DescriptorFlags::WRITE)
    }

    fn file(&self, flag: DescriptorFlags) -> Result<&Handle, ErrorCode> {
        match self.kind {
            Kind::Directory => Err(ErrorCode::IsDirectory),
            _ if self.flags.contains(flag) => Ok(&self.handle),
            _ => Err(ErrorCode::BadDescriptor),
        }
    }

    /// Performs an operation at a path relative to this directory.
    fn at<R>(
        &self,
        path: &str,
        operation: impl FnOnce(&mut FileSystem, &mut HostCalls, &GuestPath) -> Result<R, FileError>,
    ) -> Result<R, ErrorCode> {
        if self.kind != Kind::Directory {
            return Err(ErrorCode::NotDirectory);
        }
        with(|files, calls| {
            let path = files.walk_from(calls, &self.path, path)?;
            operation(files, calls, &path)
        })
    }
}

fn with<R>(operation: impl FnOnce(&mut FileSystem, &mut HostCalls) -> Result<R, FileError>) -> Result<R, ErrorCode> {
    Ok(state::with(|state| operation(&mut state.files, &mut state.calls))?)
}

impl GuestDescriptor for Descriptor {
    fn read_via_stream(&self, offset: u64) -> Result<InputStream, ErrorCode> {
        Ok(InputStream::new(Source::File(self.readable()?.clone(), Cell::new(offset))))
    }

    fn write_via_stream(&self, offset: u64) -> Result<OutputStream, ErrorCode> {
        self.sink(Some(offset))
    }

    fn append_via_stream(&self) -> Result<OutputStream, ErrorCode> {
        self.sink(None)
    }

    /// Advice has no effect, except that it can encode a lock.
    fn advise(&self, offset: u64, length: u64, advice: Advice) -> Result<(), ErrorCode> {
        let Some(wanted) = lock::wanted(offset, length, advice) else { return Ok(()) };
        let handle = match wanted.lock {
            Lock::Shared | Lock::Exclusive if wanted.test => self.file(DescriptorFlags::empty())?,
            Lock::Unlock => self.file(DescriptorFlags::empty())?,
            Lock::Shared => self.readable()?,
            Lock::Exclusive => self.writable()?,
        };
        let got = with(|files, calls| files.lock(calls, handle, wanted))?;
        if got { Ok(()) } else { Err(ErrorCode::WouldBlock) }
    }

    fn sync_data(&self) -> Result<(), ErrorCode> {
        self.sync()
    }

    /// Files are written immediately, so this only reports the result.
    fn sync(&self) -> Result<(), ErrorCode> {
        self.failure.take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn get_flags(&self) -> Result<DescriptorFlags, ErrorCode> {
        Ok(self.flags)
    }

    fn get_type(&self) -> Result<DescriptorType, ErrorCode> {
        Ok(if matches!(self.handle, Handle::Null) {
            DescriptorType::CharacterDevice
        } else {
            descriptor_type(self.kind)
        })
    }

    fn set_size(&self, size: u64) -> Result<(), ErrorCode> {
        // Linux has another error for this than for a write.
        let handle = self.writable().map_err(|error| match error {
            ErrorCode::BadDescriptor => ErrorCode::Invalid,
            other => other,
        })?;
        with(|files, calls| files.resize(calls, handle, size))
    }

    fn set_times(&self, _: NewTimestamp, modified: NewTimestamp) -> Result<(), ErrorCode> {
        with(|files, calls| match timestamp(calls, modified) {
            Some(modified) => files.set_modified(calls, &self.handle, modified),
            None => Ok(()),
        })
    }

    fn read(&self, length: u64, offset: u64) -> Result<(Vec<u8>, bool), ErrorCode> {
        let handle = self.readable()?;
        let length = length.min(isolette_abi::CHUNK_LIMIT as u64) as u32;
        let bytes = with(|files, calls| files.read(calls, handle, offset, length))?;
        let end = bytes.len() < length as usize;
        Ok((bytes, end))
    }

    fn write(&self, buffer: Vec<u8>, offset: u64) -> Result<u64, ErrorCode> {
        let handle = self.writable()?;
        with(|files, calls| files.write(calls, handle, Some(offset), &buffer))?;
        Ok(buffer.len() as u64)
    }

    fn read_directory(&self) -> Result<types::DirectoryEntryStream, ErrorCode> {
        if self.kind != Kind::Directory {
            return Err(ErrorCode::NotDirectory);
        }
        let entries = with(|files, calls| files.list(calls, &self.path))?;
        Ok(types::DirectoryEntryStream::new(Entries { directory: self.path.clone(), rest: RefCell::new(entries) }))
    }

    fn create_directory_at(&self, path: String) -> Result<(), ErrorCode> {
        self.at(&path, |files, calls, path| files.create(calls, path, Kind::Directory))
    }

    fn stat(&self) -> Result<DescriptorStat, ErrorCode> {
        let mut stat = with(|files, calls| files.status(calls, &self.handle)).map(descriptor_stat)?;
        stat.link_count = u64::from(self.handle.has_name());
        Ok(if matches!(self.handle, Handle::Null) { null_stat(stat) } else { stat })
    }

    fn stat_at(&self, _: PathFlags, path: String) -> Result<DescriptorStat, ErrorCode> {
        self.at(&path, |files, calls, path| {
            let stat = descriptor_stat(files.stat(calls, path)?);
            Ok(if path.as_str() == NULL { null_stat(stat) } else { stat })
        })
    }

    fn set_times_at(
        &self,
        _: PathFlags,
        path: String,
        _: NewTimestamp,
        modified: NewTimestamp,
    ) -> Result<(), ErrorCode> {
        self.at(&path, |files, calls, path| {
            let handle = files.locate(calls, path)?;
            match timestamp(calls, modified) {
                Some(modified) => files.set_modified(calls, &handle, modified),
                None => files.status(calls, &handle).map(drop),
            }
        })
    }

    fn link_at(&self, _: PathFlags, _: String, _: DescriptorBorrow<'_>, _: String) -> Result<(), ErrorCode> {
        Err(ErrorCode::Unsupported)
    }

    fn symlink_at(&self, target: String, _: String) -> Result<(), ErrorCode> {
        Err(if target.is_empty() { ErrorCode::NoEntry } else { ErrorCode::Unsupported })
    }

    /// Links are not visible, so no existing file is one.
    fn readlink_at(&self, path: String) -> Result<String, ErrorCode> {
        self.at(&path, |files, calls, path| files.stat(calls, path).and(Err(FileError::Invalid)))
    }

    fn open_at(
        &self,
        _: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> Result<types::Descriptor, ErrorCode> {
        let options = OpenOptions {
            create: open_flags.contains(OpenFlags::CREATE),
            exclusive: open_flags.contains(OpenFlags::EXCLUSIVE),
            truncate: open_flags.contains(OpenFlags::TRUNCATE),
            directory: open_flags.contains(OpenFlags::DIRECTORY),
            write: flags.contains(DescriptorFlags::WRITE),
        };
        let opened = self.at(&path, |files, calls, path| {
            let (handle, kind) = files.open(calls, path, options)?;
            Ok(Descriptor::new(path.clone(), handle, kind, flags))
        })?;
        Ok(types::Descriptor::new(opened))
    }

    fn remove_directory_at(&self, path: String) -> Result<(), ErrorCode> {
        self.at(&path, |files, calls, path| files.remove(calls, path, Kind::Directory))
    }

    fn unlink_file_at(&self, path: String) -> Result<(), ErrorCode> {
        self.at(&path, |files, calls, path| files.remove(calls, path, Kind::File))
    }

    fn rename_at(&self, old: String, new_directory: DescriptorBorrow<'_>, new: String) -> Result<(), ErrorCode> {
        let directory = &new_directory.get::<Self>().path;
        self.at(&old, |files, calls, source| {
            let target = files.walk_from(calls, directory, &new)?;
            files.rename(calls, source, &target)
        })
    }

    fn is_same_object(&self, other: DescriptorBorrow<'_>) -> bool {
        let identity = |one: &Self| one.metadata_hash().map(|hash| (hash.lower, hash.upper)).ok();
        identity(self).is_some_and(|own| identity(other.get::<Self>()) == Some(own))
    }

    fn metadata_hash(&self) -> Result<MetadataHashValue, ErrorCode> {
        match self.kind {
            // Requested for each directory that is listed.
            Kind::Directory => Ok(identity(&self.handle, &self.path, None)),
            Kind::File | Kind::Other => with(|files, calls| files.identity_of(calls, &self.handle, &self.path)),
        }
    }

    fn metadata_hash_at(&self, _: PathFlags, path: String) -> Result<MetadataHashValue, ErrorCode> {
        self.at(&path, |files, calls, path| files.identity(calls, path))
    }
}

/// The entries of a directory at the time of the request, in reverse order.
pub(crate) struct Entries {
    directory: GuestPath,
    rest: RefCell<Vec<(String, Kind)>>,
}

impl GuestDirectoryEntryStream for Entries {
    fn read_directory_entry(&self) -> Result<Option<DirectoryEntry>, ErrorCode> {
        let next = self.rest.borrow_mut().pop();
        let entry = next.as_ref().and_then(|(name, _)| self.directory.join(name).ok());
        state::with(|state| state.files.note_listed(entry));
        Ok(next.map(|(name, kind)| DirectoryEntry { type_: descriptor_type(kind), name }))
    }
}

impl Guest for Component {
    type Descriptor = Descriptor;
    type DirectoryEntryStream = Entries;

    fn filesystem_error_code(error: ErrorBorrow<'_>) -> Option<ErrorCode> {
        Some(error.get::<Failure>().0.into())
    }
}

impl preopens::Guest for Component {
    fn get_directories() -> Vec<(types::Descriptor, String)> {
        let flags = DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY;
        let root = Descriptor::new(GuestPath::root(), Handle::MountParent, Kind::Directory, flags);
        vec![(types::Descriptor::new(root), "/".into())]
    }
}
