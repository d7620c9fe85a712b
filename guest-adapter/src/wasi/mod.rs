//! The interfaces of WASI, on what lives as long as the instance.

mod clocks;
mod descriptor;
mod environment;
mod metadata;
mod poll;
mod random;
mod sockets;
mod streams;
