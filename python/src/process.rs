//! The process that the module was imported in. After `os.fork` there is a second one, which has the objects of the first, but
//! none of its threads.

use std::{process, sync::OnceLock};

use pyo3::{exceptions::PyRuntimeError, prelude::*};

static IMPORTED_IN: OnceLock<u32> = OnceLock::new();

pub(crate) fn remember() {
    IMPORTED_IN.get_or_init(process::id);
}

/// Whether this process was forked from the one that the module was imported in.
pub(crate) fn is_forked() -> bool {
    IMPORTED_IN.get().is_some_and(|process| *process != process::id())
}

/// Refuses to work in a forked process, where it would wait forever for threads that do not exist.
pub(crate) fn check() -> PyResult<()> {
    if !is_forked() {
        return Ok(());
    }
    Err(PyRuntimeError::new_err(
        "isolette was imported before this process was forked, and its threads do not exist here\n\
         hint: start processes with `multiprocessing.get_context(\"spawn\")`, or import isolette after the fork",
    ))
}
