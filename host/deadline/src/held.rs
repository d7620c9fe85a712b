//! Values that are kept until all work for a run has ended.

use std::{
    any::{Any, TypeId},
    fmt,
    sync::Arc,
};

/// Values that are dropped when all work for a run has ended, such as the run's place in a queue. A clone shares the
/// values that were added before.
#[derive(Clone, Default)]
pub struct Held(Vec<Arc<dyn Any + Send + Sync>>);

impl Held {
    /// Adds a value.
    pub fn keep(&mut self, held: impl Send + Sync + 'static) {
        self.0.push(Arc::new(held));
    }

    /// Returns the value of this type that was added last.
    pub(crate) fn find(&self, kind: TypeId) -> Option<Arc<dyn Any + Send + Sync>> {
        self.0.iter().rev().find(|held| (***held).type_id() == kind).cloned()
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Held({})", self.0.len())
    }
}
