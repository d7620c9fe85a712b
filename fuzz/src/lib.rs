//! What the targets of `fuzz_targets/` compare with: second, naive implementations.
//!
//! They share no code with what they judge, and may be as slow and as strict as they like.

pub mod arguments;
pub mod network;
