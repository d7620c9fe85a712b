//! Clients, as far as they are distinguished.

use serde::{Deserialize, Serialize};

/// Identifies a client for scheduling. It grants no rights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Client {
    /// The client of standard input and output.
    Stdio,
    /// A client over HTTP, by its session or its address.
    Http(String),
}
