//! Reports to the host that the runtime cannot go on.

use core::{
    fmt::{self, Write as _},
    panic::PanicInfo,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use isolette_abi::frames::{HEADER, Kind, control};

use crate::{
    channel::{self, SOCKET},
    system_calls,
};

/// Whether this process is a guest, which sends frames instead of packets.
pub(crate) static IS_GUEST: AtomicBool = AtomicBool::new(false);

/// A packet or frame with a text of limited length, which needs no heap.
pub(crate) struct Text {
    bytes: [u8; control::LIMIT],
    length: usize,
}

impl Text {
    /// A packet that says that something failed.
    pub(crate) fn packet(reason: fmt::Arguments<'_>) -> Self {
        let mut text = Self { bytes: [control::FAILED; control::LIMIT], length: 1 };
        let _ = text.write_fmt(reason);
        text
    }

    fn frame(reason: fmt::Arguments<'_>) -> Self {
        let mut text = Self { bytes: [0; control::LIMIT], length: HEADER };
        let _ = text.write_fmt(reason);
        text.bytes[..HEADER].copy_from_slice(&Kind::Failed.header(text.length - HEADER));
        text
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let rest = &mut self.bytes[self.length..];
        let length = text.len().min(rest.len());
        rest[..length].copy_from_slice(&text.as_bytes()[..length]);
        self.length += length;
        Ok(())
    }
}

/// Sends the reason to the host and ends the process.
pub(crate) fn fail(reason: fmt::Arguments<'_>) -> ! {
    if IS_GUEST.load(Relaxed) {
        channel::write_all(Text::frame(reason).bytes());
    } else {
        let _ = system_calls::send(SOCKET, Text::packet(reason).bytes(), None);
    }
    system_calls::exit(1)
}

#[panic_handler]
fn on_panic(panic: &PanicInfo<'_>) -> ! {
    fail(format_args!("{}", panic.message()))
}
