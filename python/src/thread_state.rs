//! What the interpreter keeps for a thread that calls it.
//!
//! For a thread that Python has not started, it makes this state at each call and removes it afterwards, with a stack for frames
//! that is mapped and unmapped: some 50 µs, several times the rest of a call. So a thread of the host that has called once keeps its
//! state until it ends.
#![expect(unsafe_code, reason = "PyO3 has no safe way to keep the state of a thread while it is detached")]

use pyo3::{Python, ffi};

use crate::live::LiveCall;

thread_local! {
    static KEPT: Kept = Kept::new();
}

/// Keeps the state of this thread from the first call on. The interpreter must not end meanwhile.
pub(crate) fn keep() {
    // While a thread ends, its values may be gone.
    let _ = KEPT.try_with(|_| {});
}

/// The state of this thread, to which it is not attached.
struct Kept(*mut ffi::PyThreadState);

impl Kept {
    fn new() -> Self {
        // SAFETY: it reads what this thread has, whether it is attached or not.
        if !unsafe { ffi::PyGILState_GetThisThreadState() }.is_null() {
            // Python has started the thread, and keeps the state.
            return Self(std::ptr::null_mut());
        }
        let state = Python::try_attach(|_| {
            // SAFETY: the interpreter exists, as this thread is attached to it; so the call only counts. It is paired with the one
            // in `drop`.
            unsafe { ffi::PyGILState_Ensure() };
            // SAFETY: as above; the state belongs to this thread, and lasts as long as it is counted.
            unsafe { ffi::PyGILState_GetThisThreadState() }
        });
        Self(state.unwrap_or(std::ptr::null_mut()))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // After the end of the interpreter there is nothing to give back.
        if self.0.is_null() {
            return;
        }
        let Some(_call) = LiveCall::new() else { return };
        // SAFETY: the state is that of this thread, which is not attached, and the interpreter waits for this call before it ends.
        unsafe { ffi::PyEval_RestoreThread(self.0) };
        // SAFETY: it is paired with the call in `new`. It detaches the thread, and removes the state.
        unsafe { ffi::PyGILState_Release(ffi::PyGILState_STATE::PyGILState_UNLOCKED) };
    }
}
