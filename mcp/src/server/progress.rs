//! What a program prints, on its way to the client while the program runs.

use std::sync::{Arc, Mutex, PoisonError};

use isolette::Stream;
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use tokio::sync::Notify;

/// Text that the client has not been sent yet. The guest's thread puts in and never waits; what comes faster than the
/// client takes it goes out in fewer, longer messages. The limit on standard output bounds it.
#[derive(Debug, Default)]
struct Buffer {
    pending: Mutex<Vec<u8>>,
    arrived: Notify,
}

/// Sends standard output as `notifications/progress`.
pub(crate) struct Progress {
    buffer: Arc<Buffer>,
    token: ProgressToken,
    peer: Peer<RoleServer>,
    sent: u64,
}

impl Progress {
    pub(crate) fn new(token: ProgressToken, peer: Peer<RoleServer>) -> Self {
        Self { buffer: Arc::default(), token, peer, sent: 0 }
    }

    /// What the run calls with its output.
    pub(crate) fn sink(&self) -> impl FnMut(Stream, &[u8]) + Send + 'static {
        let buffer = Arc::clone(&self.buffer);
        move |stream, bytes| {
            if stream == Stream::Stdout {
                buffer.pending.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
                buffer.arrived.notify_one();
            }
        }
    }

    /// Waits for output. Dropping the future loses none.
    pub(crate) async fn arrival(&self) {
        self.buffer.arrived.notified().await;
    }

    /// Sends what there is.
    pub(crate) async fn flush(&mut self) {
        let text = take_text(&mut self.buffer.pending.lock().unwrap_or_else(PoisonError::into_inner));
        if text.is_empty() {
            return;
        }
        self.sent += text.len() as u64;
        #[expect(clippy::cast_precision_loss, reason = "output ends long before 2^52 bytes")]
        let progress = ProgressNotificationParam::new(self.token.clone(), self.sent as f64).with_message(text);
        // A client that is gone hears nothing, and the end of its run comes by another way.
        let _ = self.peer.notify_progress(progress).await;
    }
}

/// Takes whole characters and leaves the beginning of one that is still to come.
fn take_text(pending: &mut Vec<u8>) -> String {
    let torn = match pending.utf8_chunks().last() {
        Some(last) if std::str::from_utf8(last.invalid()).is_err_and(|error| error.error_len().is_none()) => {
            last.invalid().len()
        }
        _ => 0,
    };
    let whole = pending.len() - torn;
    let rest = pending.split_off(whole);
    String::from_utf8_lossy(&std::mem::replace(pending, rest)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::take_text;

    #[test]
    fn characters_are_never_torn() {
        let mut pending = Vec::new();
        let mut received = String::new();
        for byte in "a é 🦀 z".bytes() {
            pending.push(byte);
            received += &take_text(&mut pending);
        }
        assert_eq!((received.as_str(), pending.as_slice()), ("a é 🦀 z", &[][..]));
    }

    #[test]
    fn bytes_that_are_no_text_do_not_stop_the_rest() {
        let mut pending = b"a\xff\xfeb\xc3".to_vec();
        assert_eq!(take_text(&mut pending), "a\u{fffd}\u{fffd}b");
        pending.push(0xa9);
        assert_eq!(take_text(&mut pending), "é");
    }
}
