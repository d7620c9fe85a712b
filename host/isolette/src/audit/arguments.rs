//! How much of the arguments of a call is put on record.

use serde::Serialize;

/// Bytes of arguments that are put on record or shown to whoever is asked; nobody would read longer ones.
pub(crate) const SHOWN_LIMIT: usize = 64 << 10;

/// How much of the arguments of each call is put on record:
/// [`SandboxBuilder::record_arguments`](crate::builder::SandboxBuilder::record_arguments).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordedArguments {
    /// Nothing. The default without an audit.
    Nothing,
    /// Their SHA-256, by which arguments that are known can be recognised. The default with an audit.
    Digest,
    /// The arguments themselves, without the secrets of the sandbox, and their SHA-256. Those of more than 64 KiB are
    /// replaced by `{"arguments_bytes": n}`.
    Whole,
}
