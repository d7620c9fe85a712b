//! Functions that are called from outside of Rust, by names that their callers define.

#![allow(
    unsafe_code,
    reason = "a function with such a name could collide with another of that name; none of these does"
)]

use crate::{snapshot, system};

/// The clock of `Date`, in microseconds since 1970: the one import that the user of `rquickjs` must implement.
#[unsafe(no_mangle)]
extern "C" fn __rquickjs_host_now_us() -> f64 {
    system::now_in_microseconds()
}

/// Called while the component is built. The memory that it leaves is the initial memory of every instance.
#[unsafe(export_name = "wizer-initialize")]
extern "C" fn initialise() {
    snapshot::make();
    // A component that could not be prepared must not be built.
    assert!(snapshot::with(|_| ()).is_some());
}
