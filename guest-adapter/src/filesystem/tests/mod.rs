//! Tests of the file tree with a fake host.

mod host_calls;
mod mounts;
mod posix;
mod unnamed;

use isolette_abi::files::{FileError, Kind, Lock};

use super::{GuestPath, Handle, Wanted, open::OpenOptions};
use crate::{
    state::State,
    testing::{Shared, begin, running},
};

const CREATE: OpenOptions =
    OpenOptions { create: true, exclusive: false, truncate: true, directory: false, write: true };
const READ: OpenOptions =
    OpenOptions { create: false, exclusive: false, truncate: false, directory: false, write: false };

fn path(text: &str) -> GuestPath {
    GuestPath::absolute(text).expect("a plain path")
}

fn open(state: &mut State, text: &str, options: OpenOptions) -> Result<Handle, FileError> {
    state.files.open(&mut state.calls, &path(text), options).map(|(handle, _)| handle)
}

fn write(state: &mut State, text: &str, bytes: &[u8]) -> Result<(), FileError> {
    let handle = open(state, text, CREATE)?;
    state.files.write(&mut state.calls, &handle, Some(0), bytes)
}

fn read(state: &mut State, text: &str) -> Result<Vec<u8>, FileError> {
    let handle = open(state, text, READ)?;
    state.files.read(&mut state.calls, &handle, 0, u32::MAX)
}

fn list(state: &mut State, text: &str) -> Result<Vec<String>, FileError> {
    let entries = state.files.list(&mut state.calls, &path(text))?;
    let mut names: Vec<String> = entries.into_iter().map(|(name, _)| name).collect();
    names.sort();
    Ok(names)
}

fn make(state: &mut State, text: &str, kind: Kind) -> Result<(), FileError> {
    state.files.create(&mut state.calls, &path(text), kind)
}

fn remove(state: &mut State, text: &str, kind: Kind) -> Result<(), FileError> {
    state.files.remove(&mut state.calls, &path(text), kind)
}

fn rename(state: &mut State, source: &str, target: &str) -> Result<(), FileError> {
    state.files.rename(&mut state.calls, &path(source), &path(target))
}

fn kind(state: &mut State, text: &str) -> Result<Kind, FileError> {
    state.files.stat(&mut state.calls, &path(text)).map(|status| status.kind)
}
