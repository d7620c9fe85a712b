//! How much of the arguments of a call is recorded.

use serde::Serialize;

/// Maximum length, in bytes, of arguments that are recorded or shown to the approver; longer ones are not readable for
/// people.
pub(crate) const SHOWN_LIMIT: usize = 64 << 10;

/// How much of the arguments of each call is recorded:
/// [`SandboxBuilder::record_arguments`](crate::builder::SandboxBuilder::record_arguments).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordedArguments {
    /// No arguments. The default without an audit.
    Nothing,
    /// Their SHA-256, which identifies arguments that are already known. The default with an audit.
    Digest,
    /// The arguments without the secrets of the sandbox, and their SHA-256. Arguments of more than 64 KiB are replaced
    /// by `{"arguments_bytes": n}`.
    Whole,
}
