//! Scripts for the compromised guest (`hostile/compromised/component.wat`).
//!
//! It stands for a broken interpreter, adapter and entry at once: such a guest can send any bytes and answer with any.

use std::fmt::Write as _;

/// The operations of a run, in order. At the end of a script the run ends without a value.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Script(Vec<u8>);

/// Where in its memory a script may put things.
pub const ROOM: u32 = 0x10_0000;

/// How much room there is.
pub const ROOM_SIZE: u32 = 0x30_0000;

/// What the host calls when it has something for the guest.
#[derive(Clone, Copy, Debug)]
pub enum Realloc {
    /// Gives an address outside of the memory.
    Outside = 1,
    /// Gives the last byte of the memory.
    AtTheEnd = 2,
    /// Breaks off.
    Breaks = 3,
    /// Never comes back.
    Endless = 4,
    /// Calls the host.
    CallsBack = 5,
    /// Nests its calls without end.
    Nests = 6,
    /// Gives what is in use.
    InUse = 7,
}

/// What happens when the host has what the run ended with.
#[derive(Clone, Copy, Debug)]
pub enum Afterwards {
    /// Calls the host.
    CallsBack = 1,
    /// Breaks off.
    Breaks = 2,
    /// Never comes back.
    Endless = 3,
    /// Nests its calls without end.
    Nests = 4,
}

impl Script {
    /// Does nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends a message.
    pub fn send(self, message: &[u8]) -> Self {
        self.operation(1, &[length(message)]).bytes(message)
    }

    /// Sends bytes from an address, and names the address that gets the position of the reply.
    pub fn send_from(self, address: u32, length: u32, result: u32) -> Self {
        self.operation(2, &[address, length, result])
    }

    /// Fills memory with one byte.
    pub fn fill(self, address: u32, length: u32, byte: u8) -> Self {
        self.operation(3, &[address, length, byte.into()])
    }

    /// Puts bytes somewhere.
    pub fn put(self, address: u32, bytes: &[u8]) -> Self {
        self.operation(4, &[address, length(bytes)]).bytes(bytes)
    }

    /// Does so many times what another script does, which must repeat nothing itself.
    pub fn times(self, times: u32, script: &Self) -> Self {
        self.operation(5, &[times]).bytes(&script.0).operation(6, &[])
    }

    /// Ends the run with these bytes.
    pub fn finish(self, bytes: &[u8]) -> Self {
        self.operation(7, &[length(bytes)]).bytes(bytes)
    }

    /// Ends the run with what is somewhere.
    pub fn finish_from(self, address: u32, length: u32) -> Self {
        self.operation(8, &[address, length])
    }

    /// Ends the run, and says that where the result is, is somewhere.
    pub fn finish_at(self, address: u32) -> Self {
        self.operation(9, &[address])
    }

    /// Ends the run with what the host replied last.
    pub fn finish_with_reply(self) -> Self {
        self.operation(10, &[])
    }

    /// From now on, in later runs of a session too.
    pub fn realloc(self, how: Realloc) -> Self {
        self.operation(11, &[how as u32])
    }

    /// In this run.
    pub fn afterwards(self, what: Afterwards) -> Self {
        self.operation(12, &[what as u32])
    }

    /// Breaks off.
    pub fn break_off(self) -> Self {
        self.operation(13, &[])
    }

    /// Never ends.
    pub fn never_end(self) -> Self {
        self.operation(14, &[])
    }

    /// Nests its calls without end.
    pub fn nest(self) -> Self {
        self.operation(15, &[])
    }

    /// Asks for so many pages of 64 KiB, and goes on without if there are none.
    pub fn grow(self, pages: u32) -> Self {
        self.operation(16, &[pages])
    }

    /// Makes so many component handles, and keeps them.
    pub fn keep_handles(self, count: u32) -> Self {
        self.operation(17, &[count])
    }

    /// Whatever these bytes stand for.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// As the program of a run.
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
