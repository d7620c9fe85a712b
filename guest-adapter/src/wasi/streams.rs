//! `wasi:io/streams` and `wasi:io/error`: sequential access to files, and the console.

use std::{cell::Cell, rc::Rc};

use isolette_abi::{CHUNK_LIMIT, console::Stream, files::FileError};

use super::poll::Moment;
use crate::{
    Component,
    bindings::exports::wasi::io::{
        error::{self, GuestError},
        poll::Pollable,
        streams::{Error, Guest, GuestInputStream, GuestOutputStream, InputStreamBorrow, StreamError},
    },
    filesystem::Handle,
    host_calls::trap,
    output, state,
};

/// The source of an input stream.
pub(crate) enum Source {
    /// No data: standard input.
    Empty,
    /// A file, from an offset that advances.
    File(Handle, Cell<u64>),
}

/// The destination of an output stream.
pub(crate) enum Sink {
    /// Standard output or standard error.
    Console(Stream),
    /// A file, from an offset that advances, or without an offset at its end.
    File {
        handle: Handle,
        offset: Cell<Option<u64>>,
        /// The error of a failed write, for the descriptor.
        failure: Rc<Cell<Option<FileError>>>,
    },
}

/// Why an operation on a stream failed.
pub(crate) struct Failure(pub(super) FileError);

impl GuestError for Failure {
    fn to_debug_string(&self) -> String {
        format!("{:?}", self.0)
    }
}

impl error::Guest for Component {
    type Error = Failure;
}

impl Guest for Component {
    type InputStream = Source;
    type OutputStream = Sink;
}

fn failed(error: FileError) -> StreamError {
    StreamError::LastOperationFailed(Error::new(Failure(error)))
}

impl GuestInputStream for Source {
    fn read(&self, len: u64) -> Result<Vec<u8>, StreamError> {
        let Self::File(handle, offset) = self else { return Err(StreamError::Closed) };
        let length = len.min(CHUNK_LIMIT as u64) as u32;
        let bytes = state::with(|state| state.files.read(&mut state.calls, handle, offset.get(), length));
        let bytes = bytes.map_err(failed)?;
        if bytes.is_empty() && length > 0 {
            return Err(StreamError::Closed);
        }
        offset.set(offset.get() + bytes.len() as u64);
        Ok(bytes)
    }

    /// Reading never waits.
    fn blocking_read(&self, len: u64) -> Result<Vec<u8>, StreamError> {
        self.read(len)
    }

    fn skip(&self, len: u64) -> Result<u64, StreamError> {
        self.read(len).map(|bytes| bytes.len() as u64)
    }

    fn blocking_skip(&self, len: u64) -> Result<u64, StreamError> {
        self.skip(len)
    }

    fn subscribe(&self) -> Pollable {
        Pollable::new(Moment::Now)
    }
}

impl GuestOutputStream for Sink {
    fn check_write(&self) -> Result<u64, StreamError> {
        Ok(CHUNK_LIMIT as u64)
    }

    fn write(&self, contents: Vec<u8>) -> Result<(), StreamError> {
        let (handle, offset, failure) = match self {
            Self::Console(stream) => {
                output::write(*stream, &contents);
                return Ok(());
            }
            Self::File { handle, offset, failure } => (handle, offset, failure),
        };
        let written = state::with(|state| state.files.write(&mut state.calls, handle, offset.get(), &contents));
        failure.set(written.as_ref().err().copied());
        written.map_err(failed)?;
        offset.set(offset.get().map(|offset| offset.saturating_add(contents.len() as u64)));
        Ok(())
    }

    fn blocking_write_and_flush(&self, contents: Vec<u8>) -> Result<(), StreamError> {
        self.write(contents)
    }

    /// Has no effect: a file is written at once, and a library that flushes the console after each write would send a message
    /// for each.
    fn flush(&self) -> Result<(), StreamError> {
        Ok(())
    }

    fn blocking_flush(&self) -> Result<(), StreamError> {
        self.flush()
    }

    fn write_zeroes(&self, len: u64) -> Result<(), StreamError> {
        // More than `check_write` permits: WASI demands a trap.
        if len > CHUNK_LIMIT as u64 {
            trap();
        }
        self.write(vec![0; len as usize])
    }

    fn blocking_write_zeroes_and_flush(&self, len: u64) -> Result<(), StreamError> {
        self.write_zeroes(len)
    }

    fn splice(&self, source: InputStreamBorrow<'_>, len: u64) -> Result<u64, StreamError> {
        let bytes = source.get::<Source>().read(len)?;
        let length = bytes.len() as u64;
        self.write(bytes)?;
        Ok(length)
    }

    fn blocking_splice(&self, source: InputStreamBorrow<'_>, len: u64) -> Result<u64, StreamError> {
        self.splice(source, len)
    }

    fn subscribe(&self) -> Pollable {
        Pollable::new(Moment::Now)
    }
}
