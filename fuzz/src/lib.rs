//! Naive implementations that the targets in `fuzz_targets/` compare with. They share no code with the tested implementations,
//! and may be slow and strict.
//!
//! `service` is the service that the targets `grants`, `http` and `multipart` send their requests to.

pub mod arguments;
pub mod commands;
pub mod grants;
pub mod lines;
pub mod multipart;
pub mod network;
pub mod requests;
pub mod responses;
pub mod service;
