//! When a run has to end, how much processor time it has used, and the threads on which the host waits.
//!
//! It knows the Tokio runtime, so that everything above it can wait, and neither guests nor policies.

#![deny(missing_docs)]

mod block;
mod cpu;
mod deadline;
mod held;
mod runtime;
mod stop;

pub use self::{
    block::wait_until,
    cpu::CpuMeter,
    deadline::Deadline,
    held::Held,
    runtime::{AbortOnDrop, abort_on_drop, runtime},
    stop::Stop,
};
