//! The state of a guest that has been saved: other guests of the same image continue from it.

use std::{any::Any, fmt, sync::Arc};

/// The changes of a guest since it was created from its image: its memory, which contains its globals, modules and
/// temporary files. Copies share it.
///
/// It has no value that the host does not check again when a guest continues from it: a guest may have written anything there.
#[derive(Clone, Debug)]
pub struct GuestState(Arc<dyn SavedState>);

/// The state in the form of an engine, which alone knows its type.
pub(crate) trait SavedState: Any + fmt::Debug + Send + Sync {
    /// The number of bytes that are kept in memory.
    fn bytes(&self) -> u64;
}

#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "only engines outside of this process save states")
)]
impl GuestState {
    pub(crate) fn new(saved: impl SavedState) -> Self {
        Self(Arc::new(saved))
    }

    /// The state in the form of an engine, if that engine has saved it.
    pub(crate) fn saved<T: SavedState>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Whether this is the same state, and not only an equal one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number of bytes that this state keeps in memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
