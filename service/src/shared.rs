//! The state that all requests share.

use std::sync::Arc;

use crate::{resources::Resources, sandboxes::Sandboxes};

/// The resources of a service, and its sandboxes.
pub(crate) struct Shared {
    pub(crate) resources: Arc<Resources>,
    pub(crate) sandboxes: Sandboxes,
}
