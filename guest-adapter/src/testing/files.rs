//! The files of the fake host.

use isolette_abi::{
    encode,
    files::{self, FileError, Kind, Listing, Lock, StatReply, Status},
    transfer::Chunk,
};

use super::FakeHost;

impl FakeHost {
    pub(super) fn file(&mut self, call: files::Call<'_>) -> Vec<u8> {
        let line = match &call {
            files::Call::Write { path, offset, bytes } => format!("Write {path} {offset:?} {}", bytes.len()),
            other => format!("{other:?}"),
        };
        self.log.push(line);
        match call {
            files::Call::Stat { path } => encode(&self.found(path)),
            // Each file with this name is locked by another process.
            files::Call::Lock { path, lock, .. } => {
                encode(&Ok::<_, FileError>(lock == Lock::Unlock || !path.ends_with("locked")))
            }
            files::Call::Read { path, offset, length } => match self.files.get(path) {
                Some(Some(bytes)) => {
                    let rest = bytes.get(offset as usize..).unwrap_or_default();
                    encode(&Ok::<_, FileError>(Chunk(&rest[..rest.len().min(length as usize)])))
                }
                other => encode(&Err::<Chunk<'_>, _>(Self::no_file(other.is_some()))),
            },
            files::Call::List { path, skip } => {
                // Two entries at a time, so that repeated requests are tested.
                let inside = |name: &&String| name.rsplit_once('/').is_some_and(|(parent, _)| parent == path);
                let names: Vec<&String> = self.files.keys().filter(inside).skip(skip as usize).collect();
                let kind = |name: &String| if self.files[name].is_some() { Kind::File } else { Kind::Directory };
                let entries = names.iter().take(2).map(|name| (&name[path.len() + 1..], kind(name))).collect();
                encode(&Ok::<_, FileError>(Listing { entries, more: names.len() > 2 }))
            }
            change => encode(&self.change(change)),
        }
    }

    fn change(&mut self, call: files::Call<'_>) -> Result<(), FileError> {
        match call {
            files::Call::Create { path, kind } => {
                if self.files.contains_key(path) {
                    return Err(FileError::Exists);
                }
                self.files.insert(path.into(), (kind == Kind::File).then(Vec::new));
            }
            files::Call::Remove { path, .. } => {
                self.files.remove(path).ok_or(FileError::NotFound)?;
            }
            files::Call::Rename { source, target } => {
                let moved = self.files.remove(source).ok_or(FileError::NotFound)?;
                self.files.insert(target.into(), moved);
            }
            files::Call::Write { path, offset, bytes } => {
                let file = self.files.get_mut(path).and_then(Option::as_mut).ok_or(FileError::NotFound)?;
                let start = offset.map_or(file.len(), |offset| offset as usize);
                file.resize(file.len().max(start + bytes.len()), 0);
                file[start..start + bytes.len()].copy_from_slice(bytes);
            }
            files::Call::Resize { path, size } => {
                let file = self.files.get_mut(path).and_then(Option::as_mut).ok_or(FileError::NotFound)?;
                file.resize(size as usize, 0);
            }
            _ => {}
        }
        Ok(())
    }

    /// Files with the same content have the same identity.
    fn found(&self, path: &str) -> Result<StatReply, FileError> {
        let status = self.status(path)?;
        let file = self.files[path].as_ref().map(|bytes| bytes.iter().map(|byte| u64::from(*byte)).sum());
        Ok(StatReply { status, file })
    }

    fn status(&self, path: &str) -> Result<Status, FileError> {
        match self.files.get(path).ok_or(FileError::NotFound)? {
            Some(bytes) => Ok(Status { kind: Kind::File, size: bytes.len() as u64, modified: 5 }),
            None => Ok(Status { kind: Kind::Directory, size: 0, modified: 5 }),
        }
    }

    fn no_file(there: bool) -> FileError {
        if there { FileError::IsDirectory } else { FileError::NotFound }
    }
}
