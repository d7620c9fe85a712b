//! Sends the output of a program to the client while the program runs.

use std::sync::{Arc, Mutex, PoisonError};

use isolette::{RedactedStream, Redaction, Stream};
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use tokio::sync::Notify;

/// Text that was not sent yet. The guest's thread adds to it without waiting; if output is faster than the client, it
/// is sent in fewer, longer messages. The limit on standard output bounds it.
#[derive(Debug, Default)]
struct Buffer {
    pending: Mutex<Vec<u8>>,
    arrived: Notify,
}

/// Sends standard output as `notifications/progress` to the client that requested it.
pub(crate) struct Progress {
    buffer: Arc<Buffer>,
    /// Redacts a stream, because a secret may arrive in two parts.
    redacted: RedactedStream,
    listener: Option<Listener>,
    sent: u64,
}

/// Takes the output of a run, also if it continues in another guest.
#[derive(Clone)]
pub(crate) struct Sink(Arc<Buffer>);

impl Sink {
    /// The callback for the output of one guest.
    pub(crate) fn callback(&self) -> impl FnMut(Stream, &[u8]) + Send + 'static {
        let buffer = Arc::clone(&self.0);
        move |stream, bytes| {
            if stream == Stream::Stdout {
                buffer.pending.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
                buffer.arrived.notify_one();
            }
        }
    }
}

/// The client that requested progress, and the token of its request.
pub(crate) struct Listener {
    token: ProgressToken,
    peer: Peer<RoleServer>,
}

impl Progress {
    /// Progress of a run whose output may contain secrets.
    pub(crate) fn new(redaction: &Redaction) -> Self {
        Self { buffer: Arc::default(), redacted: redaction.stream(), listener: None, sent: 0 }
    }

    /// The sink of the output of the run.
    pub(crate) fn sink(&self) -> Sink {
        Sink(Arc::clone(&self.buffer))
    }

    /// Sends from now on to the client of this request, if it requested progress.
    pub(crate) fn listen(&mut self, context: &RequestContext<RoleServer>) {
        let token = context.meta.get_progress_token();
        self.listener = token.map(|token| Listener { token, peer: context.peer.clone() });
    }

    /// Stops sending, after the request is answered.
    pub(crate) fn listen_no_more(&mut self) {
        self.listener = None;
    }

    /// Waits for output, if a client requested it. Dropping the future loses no output.
    pub(crate) async fn arrival(&self) {
        if self.listener.is_none() {
            return std::future::pending().await;
        }
        self.buffer.arrived.notified().await;
    }

    /// Sends the available output, except for a possible beginning of a secret.
    pub(crate) async fn flush(&mut self) {
        if self.listener.is_some() {
            let text = take_text(&mut self.buffer.pending.lock().unwrap_or_else(PoisonError::into_inner));
            let text = self.redacted.push(&text);
            self.send(text).await;
        }
    }

    /// Sends all remaining output.
    pub(crate) async fn finish(&mut self) {
        self.flush().await;
        let text = self.redacted.finish();
        self.send(text).await;
    }

    async fn send(&mut self, text: String) {
        let Some(listener) = &self.listener else { return };
        if text.is_empty() {
            return;
        }
        self.sent += text.len() as u64;
        #[expect(clippy::cast_precision_loss, reason = "output ends long before 2^52 bytes")]
        let progress = ProgressNotificationParam::new(listener.token.clone(), self.sent as f64).with_message(text);
        // Errors are ignored: if the client is gone, the end of the run is handled elsewhere.
        let _ = listener.peer.notify_progress(progress).await;
    }
}

/// Takes whole characters and leaves an incomplete one.
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
