//! The socket of a process: frames to the host and from it (`isolette_abi::frames`).

use alloc::{vec, vec::Vec};

use isolette_abi::{
    frames::{HEADER, Kind},
    shared_memory::FRAME_LIMIT,
};

use crate::{
    exchange,
    system_calls::{self, EINTR},
};

/// The descriptor of the one socket of each process.
pub(crate) const SOCKET: i32 = 0;

/// The contents of a frame up to this many bytes are sent and received in one piece with their header.
const PIECE: usize = FRAME_LIMIT;

/// Sends a frame and receives the next one. If the host is gone, or sends what no host sends, the process ends.
pub(crate) fn exchange(kind: Kind, contents: &[u8]) -> (Kind, Vec<u8>) {
    let header = kind.header(contents.len());
    let frame;
    // A longer frame is sent in two parts, of which the second has more bytes than a frame that is sent whole.
    let last = if contents.len() > PIECE {
        write_all(&header);
        contents
    } else {
        frame = [&header, contents].concat();
        &frame
    };
    let mut piece = [0; PIECE];
    // SAFETY: both are valid for as many bytes.
    let received = unsafe { exchange::exchange(last.as_ptr(), last.len(), piece.as_mut_ptr(), PIECE) };
    let mut filled = checked(received);
    while filled < HEADER {
        filled += read(&mut piece[filled..]);
    }
    let mut header = [0; HEADER];
    header.copy_from_slice(&piece[..HEADER]);
    let Ok((kind, length)) = Kind::parse(header) else { system_calls::exit(1) };
    let mut contents = vec![0; length];
    // Both sides take turns, so nothing follows the frame.
    let mut done = filled - HEADER;
    if done > length {
        system_calls::exit(1);
    }
    contents[..done].copy_from_slice(&piece[HEADER..filled]);
    while done < length {
        done += read(&mut contents[done..]);
    }
    (kind, contents)
}

/// The number of bytes that were received.
fn checked(received: isize) -> usize {
    match usize::try_from(received) {
        Ok(0) => system_calls::exit(0),
        Ok(length) => length,
        Err(_) => system_calls::exit(1),
    }
}

fn read(buffer: &mut [u8]) -> usize {
    loop {
        match system_calls::read(SOCKET, buffer) {
            Ok(0) => system_calls::exit(0),
            Ok(length) => return length,
            Err(EINTR) => {}
            Err(_) => system_calls::exit(1),
        }
    }
}

pub(crate) fn write_all(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match system_calls::write(SOCKET, bytes) {
            Ok(length) => bytes = bytes.get(length..).unwrap_or_default(),
            Err(EINTR) => {}
            Err(_) => system_calls::exit(1),
        }
    }
}
