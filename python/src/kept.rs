//! Values that end only in the process that made them, and not while the interpreter waits.

use std::{mem, ops::Deref};

use pyo3::Python;

use crate::process;

/// A value whose end can take time, since a run that ends waits for its audit, whose function may need the interpreter. So it is
/// dropped without the interpreter.
///
/// It is dropped in the process that the module was imported in, and forgotten in a process that was forked from it: otherwise the
/// copy would end guests and remove directories that the first process still uses.
pub(crate) struct Kept<T: Send>(Option<T>);

impl<T: Send> Kept<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn inner_mut(&mut self) -> &mut T {
        // As in `deref`.
        self.0.as_mut().expect("the value is kept")
    }
}

impl<T: Send> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // It is taken only while it is dropped.
        self.0.as_ref().expect("the value is kept")
    }
}

impl<T: Send> Drop for Kept<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        if process::is_forked() {
            mem::forget(value);
        } else {
            // If the interpreter ends, the closure is dropped with the value.
            Python::try_attach(|py| py.detach(|| drop(value)));
        }
    }
}
