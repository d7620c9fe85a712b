//! Panic messages of tests, printed with the report of the test.

use std::{
    cell::RefCell,
    panic::{self, AssertUnwindSafe},
    sync::{Mutex, PoisonError},
};

use libtest_mimic::{Completion, Failed};

thread_local! {
    /// The message of a panic on the thread of a test.
    static PANIC_MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics of other threads, except those that tests cause on purpose.
static OF_THE_HOST: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Unexpected panics in this process so far.
#[must_use]
pub fn of_the_host() -> Vec<String> {
    OF_THE_HOST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Runs a test; its panic is its failure.
///
/// # Errors
/// The message and position of the panic.
pub fn caught(test: impl FnOnce() -> Completion) -> Result<Completion, Failed> {
    PANIC_MESSAGE.set(Some(String::new()));
    let outcome = panic::catch_unwind(AssertUnwindSafe(test));
    let reported = PANIC_MESSAGE.take().unwrap_or_default();
    outcome.map_err(|_| reported.into())
}

/// Makes panics of tests part of their reports. Those of other threads are printed immediately.
pub fn install() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let reported = PANIC_MESSAGE
            .with_borrow_mut(|reported| reported.as_mut().map(|reported| *reported = panicked.to_string()));
        if reported.is_none() {
            if panicked.location().is_none_or(|place| !place.file().starts_with("tests/")) {
                OF_THE_HOST.lock().unwrap_or_else(PoisonError::into_inner).push(panicked.to_string());
            }
            print(panicked);
        }
    }));
}
