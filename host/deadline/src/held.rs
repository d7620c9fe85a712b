//! Values that last as long as there is work for a run.

use std::{any::Any, fmt, sync::Arc};

/// Values that are dropped when nothing works for a run any more, such as its place in a queue.
#[derive(Clone, Default)]
pub struct Held(Vec<Arc<dyn Any + Send + Sync>>);

impl Held {
    /// Keeps one more value.
    pub fn keep(&mut self, held: impl Send + Sync + 'static) {
        self.0.push(Arc::new(held));
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Held({})", self.0.len())
    }
}
