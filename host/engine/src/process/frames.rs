//! The socket of a guest's process: frames to it and from it (`isolette_abi::frames`).

use std::{
    io::{ErrorKind, Read as _},
    os::unix::net::UnixStream,
    sync::Arc,
    time::Duration,
};

use isolette_abi::frames::{HEADER, Kind};
use rustix::{
    io::Errno,
    net::{SendFlags, send},
};

use super::handle::Handle;

/// Frames up to this many bytes are sent and received in one piece.
const PIECE: usize = 16 << 10;

/// A guest in a process of its own. When it is dropped, the process is killed.
#[derive(Debug)]
pub(super) struct Process {
    socket: UnixStream,
    pub(super) handle: Arc<Handle>,
    /// Whether it has said that it is locked in.
    is_ready: bool,
}

/// Why there is no next frame. The process cannot be used any more.
#[derive(Debug)]
pub(super) enum Broken {
    /// The process has ended, or the system refused to transfer bytes.
    Gone,
    /// It sent what no runtime of ours sends.
    Malformed,
    /// The runtime gave up for this reason.
    Failed(String),
}

impl Process {
    pub(super) fn new(socket: UnixStream, handle: Handle) -> Self {
        Self { socket, handle: Arc::new(handle), is_ready: false }
    }

    /// Waits until the process is locked in.
    pub(super) fn wait_until_ready(&mut self) -> Result<(), Broken> {
        if !self.is_ready {
            match self.receive()? {
                (Kind::Ready, contents) if contents.is_empty() => self.is_ready = true,
                (Kind::Failed, contents) => {
                    return Err(Broken::Failed(String::from_utf8_lossy(&contents).into_owned()));
                }
                _ => return Err(Broken::Malformed),
            }
        }
        Ok(())
    }

    /// Limits each wait for the process.
    pub(super) fn set_patience(&self, limit: Option<Duration>) {
        let _ = self.socket.set_read_timeout(limit);
    }

    pub(super) fn send(&mut self, kind: Kind, contents: &[u8]) -> Result<(), Broken> {
        let header = kind.header(contents.len());
        if contents.len() > PIECE {
            self.send_all(&header)?;
            return self.send_all(contents);
        }
        self.send_all(&[&header, contents].concat())
    }

    fn send_all(&mut self, mut bytes: &[u8]) -> Result<(), Broken> {
        while !bytes.is_empty() {
            match send(&self.socket, bytes, SendFlags::NOSIGNAL) {
                Ok(length) => bytes = bytes.get(length..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(_) => return Err(Broken::Gone),
            }
        }
        Ok(())
    }

    /// Receives a frame. No memory is allocated for its contents before their length is checked.
    pub(super) fn receive(&mut self) -> Result<(Kind, Vec<u8>), Broken> {
        let mut piece = [0; PIECE];
        let mut filled = 0;
        while filled < HEADER {
            filled += self.read(piece.get_mut(filled..).unwrap_or_default())?;
        }
        let (header, begun) = piece[..filled].split_first_chunk().ok_or(Broken::Malformed)?;
        let (kind, length) = Kind::parse(*header).map_err(|_| Broken::Malformed)?;
        // Both sides take turns, so nothing follows the frame.
        if begun.len() > length {
            return Err(Broken::Malformed);
        }
        let mut contents = begun.to_vec();
        contents.resize(length, 0);
        let mut done = begun.len();
        while done < length {
            done += self.read(&mut contents[done..])?;
        }
        Ok((kind, contents))
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Broken> {
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return Err(Broken::Gone),
                Ok(length) => return Ok(length),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Broken::Gone),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.handle.kill();
    }
}
