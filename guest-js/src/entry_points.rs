//! Functions that are called from outside of Rust, by the names that their callers expect.

#![allow(
    unsafe_code,
    reason = "a function with such a name could collide with another of that name; none of these does"
)]

use crate::{snapshot, system};

/// The clock behind `Date`, in microseconds since 1970: the one import that `rquickjs` leaves to its user.
#[unsafe(no_mangle)]
extern "C" fn __rquickjs_host_now_us() -> f64 {
    system::now_in_microseconds()
}

/// Called while the component is built; what the memory then holds is what every instance starts with.
#[unsafe(export_name = "wizer-initialize")]
extern "C" fn initialise() {
    snapshot::make();
    // A component that could not be prepared must not be built.
    assert!(snapshot::with(|_| ()).is_some());
}
