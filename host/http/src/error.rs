//! Converts errors of a peer or a connection to messages for users.

use std::{error::Error, io};

use isolette_abi::http::HttpError;

/// Returns the error for a failed exchange: the peer violated the protocol, or the connection broke.
pub(super) fn exchange(origin: &str, error: &hyper::Error) -> HttpError {
    if error.is_parse() {
        return HttpError::Protocol(format!("{origin}: the head of the response cannot be read: {}", chain(error)));
    }
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            if cause.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()) {
                return HttpError::Tls(format!("{origin}: the TLS connection broke: {cause}"));
            }
            // The error kinds that hyper uses for a malformed chunk.
            if matches!(cause.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) {
                return HttpError::Protocol(format!("{origin}: the body is malformed: {cause}"));
            }
        }
        source = cause.source();
    }
    HttpError::Connect(format!("{origin}: the connection broke before the response was whole: {}", chain(error)))
}

/// Returns whether the head of a response exceeds a limit. Hyper only provides a function for this to servers.
pub(super) fn is_long_head(error: &hyper::Error) -> bool {
    error.is_parse() && error.to_string().ends_with("message head is too large")
}

/// Returns the error for a body whose content coding cannot be decoded.
pub(super) fn coding(origin: &str, error: &io::Error) -> HttpError {
    HttpError::Protocol(format!("{origin}: the body is not what its content-encoding says: {error}"))
}

pub(super) fn unresolved(name: &str, why: &str) -> HttpError {
    HttpError::Dns(format!("the name `{name}` could not be resolved: {why}"))
}

/// Returns the message of an error with its causes, which the errors of hyper do not display.
fn chain(error: &hyper::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
