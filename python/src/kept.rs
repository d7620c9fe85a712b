//! Values that end only in the process that made them.

use std::{mem, ops::Deref};

use crate::process;

/// A value that is dropped in the process that the module was imported in, and forgotten in a process that was forked from it:
/// otherwise the copy would end guests and remove directories that the first process still uses.
pub(crate) struct Kept<T>(Option<T>);

impl<T> Kept<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn inner_mut(&mut self) -> &mut T {
        // As in `deref`.
        self.0.as_mut().expect("the value is kept")
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // It is taken only while it is dropped.
        self.0.as_ref().expect("the value is kept")
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        if process::is_forked() {
            mem::forget(self.0.take());
        }
    }
}
