//! The deadline of a run, the CPU time that it has used, and the threads on which the host waits.
//!
//! This crate depends on the Tokio runtime, so that every crate above it can wait. It knows neither guests nor
//! policies.

#![deny(missing_docs)]

mod block;
mod cpu;
mod deadline;
mod held;
mod process_clock;
mod runtime;
mod stop;
mod ticks;
mod wall_time;

pub use self::{
    block::wait_until,
    cpu::CpuMeter,
    deadline::Deadline,
    held::Held,
    process_clock::ProcessClock,
    runtime::{AbortOnDrop, abort_on_drop, runtime},
    stop::Stop,
};
