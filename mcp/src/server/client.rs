//! Clients, as far as they are distinguished.

/// Identifies a client for scheduling. It grants no rights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    /// The client of standard input and output.
    Stdio,
    /// A client over HTTP, by its session or its address.
    Http(String),
}
