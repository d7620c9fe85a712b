//! Memory that the host and the process of a guest share. Through it, a short frame needs no system call while the other side
//! is awake and waits for it. All other frames go through the socket ([`crate::frames`]).
//!
//! There is one slot for each direction: a state in 4 bytes, and a frame from byte [`FRAME`] on. Who waits actively makes the
//! state [`AWAITED`]. Who has a frame then writes it into the slot and changes the state from `AWAITED` to [`FULL`]; if it is
//! not `AWAITED` any more, the frame goes through the socket. Who has waited long enough changes the state from `AWAITED` to
//! [`EMPTY`] and reads from the socket; if it is `FULL` meanwhile, the frame is in the slot.
//!
//! Whatever a guest writes here at any moment, the host gets some bytes or none, as from the socket.

/// Where the memory is in the process of the guest: apart from what is saved ([`crate::saved::CHANGEABLE`]).
pub const ADDRESS: u64 = 0x50_0000_0000;

/// Bytes of a slot.
pub const SLOT: usize = 20 << 10;

/// Bytes of the memory.
pub const SIZE: usize = 2 * SLOT;

/// Where the slot for frames to the host begins.
pub const TO_HOST: usize = 0;

/// Where the slot for frames to the guest begins.
pub const TO_GUEST: usize = SLOT;

/// Where the frame begins in a slot.
pub const FRAME: usize = 64;

/// The most bytes of a frame, with its header.
pub const FRAME_LIMIT: usize = 16 << 10;

/// Where 4 bytes say whether the guest may wait actively: 0 if not. The host sets it, because only the host knows how many
/// guests compete for the processors.
pub const MAY_SPIN: usize = SLOT - 4;

/// No side waits.
pub const EMPTY: u32 = 0;

/// A side waits for a frame.
pub const AWAITED: u32 = 1;

/// There is a frame.
pub const FULL: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::{CHANGEABLE, PAGE};

    #[test]
    fn nothing_overlaps() {
        assert!(FRAME + FRAME_LIMIT <= MAY_SPIN && (SLOT as u64).is_multiple_of(PAGE));
        let addresses = ADDRESS..ADDRESS + SIZE as u64;
        assert!(CHANGEABLE.iter().all(|range| range.end <= addresses.start || addresses.end <= range.start));
    }
}
