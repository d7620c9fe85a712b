//! What the host and a runtime in a process of its own send each other.
//!
//! The host starts one process for each image. That process loads the code, creates the guest, and then only starts copies
//! of itself; each copy is a guest that has not run. The host speaks to it in packets (`SOCK_SEQPACKET`): it sends one of
//! [`control`], and gets one back that begins with [`control::DONE`] or [`control::FAILED`].
//!
//! A copy has a stream socket of its own, for frames: a kind in one byte, the length of the contents in 4 bytes
//! (little-endian), and the contents. A copy that is locked in sends [`Kind::Ready`]. Then both sides take turns: the host sends [`Kind::Run`]; until the copy sends
//! [`Kind::Ended`], the host answers each [`Kind::Call`] with one [`Kind::Reply`].

use crate::{DecodeError, MESSAGE_LIMIT};

/// Packets to and from the process that starts others.
pub mod control {
    /// From the host: loads code. The descriptor of its file comes with it; the number of the host's process follows in 4
    /// bytes, and the length of the code in 8 (little-endian). A second descriptor is that of a file with the memory of a process
    /// that has loaded this code ([`crate::saved`]), in which this one continues; then what that process has mapped of the
    /// code's file as the contents of memories follows, each as its first address, its length, and its position in the file,
    /// in 8 bytes each.
    pub const LOAD: u8 = 0;
    /// Bytes of what is mapped of the code's file: three numbers.
    pub const CONTENTS: usize = 24;
    /// From the host: starts a copy. The descriptors of its socket and of the memory that it shares with the host
    /// ([`crate::shared_memory`]) come with it, and the number of a list of pages follows in one byte ([`PREFAULT`]). If the copy
    /// continues in the memory of another guest ([`crate::saved`]), a third descriptor is that of the file, and the most bytes
    /// that the copy can write to follow in 8 bytes (little-endian) instead.
    pub const SPAWN: u8 = 1;
    /// From the host: sets a list of pages that a copy writes to before its first run, without changing them, so that the run
    /// does not have to wait until they are copied. The number of the list follows in one byte, then the ranges.
    pub const PREFAULT: u8 = 2;
    /// The number of lists of pages, which are empty at first.
    pub const LISTS: usize = 2;
    /// From the host: has the process read these pages of files, so that the kernel does not have to find them again in each
    /// copy. Their ranges follow.
    pub const READ: u8 = 3;
    /// From the host: has the process forget where these pages of files are, none of which it has written to, so that copies need
    /// not know either. Their ranges follow.
    pub const FORGET: u8 = 4;
    /// From the host: starts a copy as [`SPAWN`] does, for which the kernel finds each of these pages of files only once it is
    /// used, and not together with others near it. Their ranges follow.
    pub const OBSERVE: u8 = 5;
    /// From the host: has the process map these parts of the code from another file, which has the same bytes at the same positions, and
    /// large pages. The descriptor of the file comes with it, and the ranges follow.
    pub const CODE: u8 = 6;
    /// Bytes of a range of pages: the first address, and the length in bytes, in 8 bytes each (little-endian).
    pub const RANGE: usize = 16;
    /// The answer: it is done. After [`SPAWN`], the copy's number follows in 4 bytes, and a descriptor of the copy (`pidfd`)
    /// comes with it.
    pub const DONE: u8 = 0;
    /// The answer: it failed. The reason follows.
    pub const FAILED: u8 = 1;
    /// The most bytes of a packet.
    pub const LIMIT: usize = 16 << 10;
}

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To the runtime: runs one program. The memory limit in 8 bytes (little-endian), and the message for `guest.run`.
    Run,
    /// To the runtime: a [`HostReply`](crate::runtime::HostReply).
    Reply,
    /// From the runtime: a message of the guest's for the host.
    Call,
    /// From the runtime: a [`RunReply`](crate::runtime::RunReply).
    Ended,
    /// From the runtime, which ends: it cannot go on, for the reason in the contents.
    Failed,
    /// From the runtime, once and first: from now on the kernel kills it for what it must not do. There are no contents.
    Ready,
}

const KINDS: [Kind; 6] = [Kind::Run, Kind::Reply, Kind::Call, Kind::Ended, Kind::Failed, Kind::Ready];

/// Bytes before the contents of a frame.
pub const HEADER: usize = 5;

/// The most bytes of the contents of a frame: a message, and what precedes it.
pub const CONTENTS_LIMIT: usize = MESSAGE_LIMIT + 16;

impl Kind {
    /// Returns the header of a frame. `length` must not exceed [`CONTENTS_LIMIT`].
    #[must_use]
    pub fn header(self, length: usize) -> [u8; HEADER] {
        let [a, b, c, d] = u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        [self as u8, a, b, c, d]
    }

    /// Reads the header of a frame: its kind, and the length of its contents.
    ///
    /// # Errors
    /// [`DecodeError`] for an unknown kind, and if there are more contents than [`CONTENTS_LIMIT`].
    pub fn parse([kind, a, b, c, d]: [u8; HEADER]) -> Result<(Self, usize), DecodeError> {
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let kind = KINDS.get(usize::from(kind)).ok_or(DecodeError)?;
        if length > CONTENTS_LIMIT { Err(DecodeError) } else { Ok((*kind, length)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_were_written() {
        for kind in KINDS {
            for length in [0, 1, 0xabcd, CONTENTS_LIMIT] {
                assert_eq!(Kind::parse(kind.header(length)), Ok((kind, length)));
            }
        }
    }

    #[test]
    fn what_nobody_sends_is_refused() {
        for header in [[6, 0, 0, 0, 0], [0, 0, 0, 0, 0xff], Kind::Call.header(CONTENTS_LIMIT + 1)] {
            assert_eq!(Kind::parse(header), Err(DecodeError));
        }
    }
}
