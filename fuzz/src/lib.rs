//! Naive implementations that the targets in `fuzz_targets/` compare with.
//!
//! They share no code with the tested implementations, and may be slow and strict.

pub mod arguments;
pub mod network;
