//! Scripts for the compromised guest (`hostile/compromised/component.wat`).
//!
//! It represents a compromised interpreter, adapter and entry: such a guest can send any bytes and return any.

use std::fmt::Write as _;

/// The operations of a run, in order. At the end of a script the run ends without a value.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Script(Vec<u8>);

/// The start of the memory for data of a script.
pub const ROOM: u32 = 0x10_0000;

/// The size of that memory.
pub const ROOM_SIZE: u32 = 0x30_0000;

/// The behaviour when the host allocates memory for a reply.
#[derive(Clone, Copy, Debug)]
pub enum Realloc {
    /// Returns an address outside of the memory.
    Outside = 1,
    /// Returns the last byte of the memory.
    AtTheEnd = 2,
    /// Traps.
    Breaks = 3,
    /// Loops for ever.
    Endless = 4,
    /// Calls the host.
    CallsBack = 5,
    /// Recurses without end.
    Nests = 6,
    /// Returns memory that is in use.
    InUse = 7,
}

/// The behaviour when the host has read the result of the run.
#[derive(Clone, Copy, Debug)]
pub enum Afterwards {
    /// Calls the host.
    CallsBack = 1,
    /// Traps.
    Breaks = 2,
    /// Loops for ever.
    Endless = 3,
    /// Recurses without end.
    Nests = 4,
}

impl Script {
    /// An empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends a message.
    pub fn send(self, message: &[u8]) -> Self {
        self.operation(1, &[length(message)]).bytes(message)
    }

    /// Sends bytes from an address; the position of the reply is stored at another address.
    pub fn send_from(self, address: u32, length: u32, result: u32) -> Self {
        self.operation(2, &[address, length, result])
    }

    /// Fills memory with one byte.
    pub fn fill(self, address: u32, length: u32, byte: u8) -> Self {
        self.operation(3, &[address, length, byte.into()])
    }

    /// Writes bytes to an address.
    pub fn put(self, address: u32, bytes: &[u8]) -> Self {
        self.operation(4, &[address, length(bytes)]).bytes(bytes)
    }

    /// Repeats another script, which must not contain repetitions.
    pub fn times(self, times: u32, script: &Self) -> Self {
        self.operation(5, &[times]).bytes(&script.0).operation(6, &[])
    }

    /// Ends the run with these bytes.
    pub fn finish(self, bytes: &[u8]) -> Self {
        self.operation(7, &[length(bytes)]).bytes(bytes)
    }

    /// Ends the run with the bytes at an address.
    pub fn finish_from(self, address: u32, length: u32) -> Self {
        self.operation(8, &[address, length])
    }

    /// Ends the run, with the address of the result at an address.
    pub fn finish_at(self, address: u32) -> Self {
        self.operation(9, &[address])
    }

    /// Ends the run with the latest reply of the host.
    pub fn finish_with_reply(self) -> Self {
        self.operation(10, &[])
    }

    /// From now on, also in later runs of a session.
    pub fn realloc(self, how: Realloc) -> Self {
        self.operation(11, &[how as u32])
    }

    /// In this run.
    pub fn afterwards(self, what: Afterwards) -> Self {
        self.operation(12, &[what as u32])
    }

    /// Traps.
    pub fn break_off(self) -> Self {
        self.operation(13, &[])
    }

    /// Never ends.
    pub fn never_end(self) -> Self {
        self.operation(14, &[])
    }

    /// Recurses without end.
    pub fn nest(self) -> Self {
        self.operation(15, &[])
    }

    /// Requests this many pages of 64 KiB, and continues if there are none.
    pub fn grow(self, pages: u32) -> Self {
        self.operation(16, &[pages])
    }

    /// Creates this many component handles, and keeps them.
    pub fn keep_handles(self, count: u32) -> Self {
        self.operation(17, &[count])
    }

    /// Appends these bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Encodes the script as the program of a run.
    ///
    /// # Panics
    /// It is too long to be in the message that starts the run, which is where it is looked for.
    #[must_use]
    pub fn program(&self) -> String {
        assert!(self.0.len() < 60 << 10, "the script has {} bytes", self.0.len());
        self.0.iter().fold("lies:".to_owned(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    fn operation(mut self, number: u8, operands: &[u32]) -> Self {
        self.0.push(number);
        operands.iter().for_each(|operand| self.0.extend_from_slice(&operand.to_le_bytes()));
        self
    }
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("scripts are short")
}
