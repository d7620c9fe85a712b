//! Failed assertions, told with their place where the test is reported, instead of in between.

use std::{
    cell::RefCell,
    panic::{self, AssertUnwindSafe},
};

use libtest_mimic::{Completion, Failed};

thread_local! {
    /// On the thread of a test: what it panicked with.
    static TOLD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a test; its panic is its failure.
///
/// # Errors
/// What the panic said, and where.
pub fn caught(test: impl FnOnce() -> Completion) -> Result<Completion, Failed> {
    TOLD.set(Some(String::new()));
    let outcome = panic::catch_unwind(AssertUnwindSafe(test));
    let told = TOLD.take().unwrap_or_default();
    outcome.map_err(|_| told.into())
}

/// Makes panics of tests go where they are reported. Those of other threads are printed as they happen.
pub fn install() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let told = TOLD.with_borrow_mut(|told| told.as_mut().map(|told| *told = panicked.to_string()));
        if told.is_none() {
            print(panicked);
        }
    }));
}
