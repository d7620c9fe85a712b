//! Which call of which run a line of a recording belongs to.

use serde::{Deserialize, Serialize};

tokio::task_local! {
    static CURRENT: Origin;
}

/// The run that made a call, and the ticket of a call that was submitted.
///
/// Tools and transports are not passed it as an argument: the broker makes it the current one while a call is performed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The number of the run in the recording. `None` for a run that is not in it, and in lines without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<u64>,
    /// `None` for a call that the program waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ticket: Option<u32>,
}

impl Origin {
    /// Returns that of the call that is being performed.
    pub(super) fn current() -> Self {
        CURRENT.try_with(|origin| *origin).unwrap_or_default()
    }

    /// Does `work` for a call of this origin.
    pub(crate) fn within<T>(self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// Makes a future part of a call of this origin.
    pub(crate) fn along<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }
}
