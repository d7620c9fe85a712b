//! How the runtime tells the host that it cannot go on.

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

/// A text of limited length that needs no heap.
struct Text {
    bytes: [u8; control::LIMIT],
    length: usize,
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
    let is_guest = IS_GUEST.load(Relaxed);
    let head = if is_guest { HEADER } else { 1 };
    let mut text = Text { bytes: [0; control::LIMIT], length: head };
    let _ = text.write_fmt(reason);
    if is_guest {
        text.bytes[..HEADER].copy_from_slice(&Kind::Failed.header(text.length - HEADER));
        channel::write_all(&text.bytes[..text.length]);
    } else {
        text.bytes[0] = control::FAILED;
        let _ = system_calls::send(SOCKET, &text.bytes[..text.length], None);
    }
    system_calls::exit(1)
}

#[panic_handler]
fn on_panic(panic: &PanicInfo<'_>) -> ! {
    fail(format_args!("{}", panic.message()))
}
