//! Output of a program (`wit/console.wit`).

use serde::{Deserialize, Serialize};

/// The output streams of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Bytes written to one stream. The reply is `()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output<'a> {
    /// The stream that the program wrote to.
    pub stream: Stream,
    /// The bytes, at most [`crate::CHUNK_LIMIT`].
    #[serde(borrow, with = "serde_bytes")]
    pub bytes: &'a [u8],
}
