//! The stored contexts of a sandbox that no guest of this process continues.

use serde::{Deserialize, Serialize};

use super::Digest;

/// A context that is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedContext {
    pub(crate) name: String,
    pub(crate) language: String,
    /// `None` if no program has run in it.
    pub(crate) blob: Option<Digest>,
}
