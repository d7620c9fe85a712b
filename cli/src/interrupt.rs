//! Ctrl-C.

use isolette::CancellationToken;

use crate::exit;

/// Returns a token that Ctrl-C cancels. A second Ctrl-C ends the process at once.
pub(crate) fn interrupt() -> CancellationToken {
    let token = CancellationToken::new();
    let on_signal = token.clone();
    // Without a handler Ctrl-C ends the process without a report of the partial result.
    let _ = ctrlc::set_handler(move || {
        if on_signal.is_cancelled() {
            std::process::exit(exit::CANCELLED.number().into());
        }
        on_signal.cancel();
    });
    token
}
