//! The interfaces of WASI, implemented on the state of the instance.

mod clocks;
mod descriptor;
mod environment;
mod metadata;
mod poll;
mod random;
mod sockets;
mod streams;
