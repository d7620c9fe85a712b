//! The stored contexts of a sandbox that no guest of this process continues.

use serde::{Deserialize, Serialize};

use super::Digest;
use crate::WORKSPACE;

/// A context that is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedContext {
    pub(crate) name: String,
    pub(crate) language: String,
    /// The directory that its programs begin in.
    #[serde(default = "workspace")]
    pub(crate) cwd: String,
    /// `None` if no program has run in it.
    pub(crate) blob: Option<Digest>,
}

/// The directory of contexts that were saved without one.
fn workspace() -> String {
    WORKSPACE.to_owned()
}
