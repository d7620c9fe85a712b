//! Ctrl-C and SIGTERM.

use std::process;

use isolette::{CancellationToken, Error};
use tokio::signal::unix::SignalKind;

use crate::exit;

/// Returns a token that Ctrl-C cancels. A second Ctrl-C ends the process at once.
pub(crate) fn interrupt() -> CancellationToken {
    let token = CancellationToken::new();
    let on_signal = token.clone();
    // Without a handler Ctrl-C ends the process without a report of the partial result.
    let _ = ctrlc::set_handler(move || {
        if on_signal.is_cancelled() {
            process::exit(exit::CANCELLED.number().into());
        }
        on_signal.cancel();
    });
    token
}

/// Returns a token that SIGINT and SIGTERM cancel. A second signal ends the process at once.
pub(crate) fn signals() -> Result<CancellationToken, Error> {
    let failed = |source| Error::Io { context: "cannot listen for signals".into(), source };
    let mut interrupt = tokio::signal::unix::signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = tokio::signal::unix::signal(SignalKind::terminate()).map_err(failed)?;
    let token = CancellationToken::new();
    let on_signal = token.clone();
    tokio::spawn(async move {
        for _ in 0..2 {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if on_signal.is_cancelled() {
                process::exit(exit::CANCELLED.number().into());
            }
            on_signal.cancel();
        }
    });
    Ok(token)
}
