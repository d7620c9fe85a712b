//! The runtime in a process of Linux.
//!
//! The host starts one process for each image. It loads the code and creates the guest, and then starts copies of itself,
//! each of which is locked in by [`jail`] before its guest runs. The process that starts copies runs no guest.
//!
//! The program needs no library. Everything that can change lies at addresses that are the same in each process.

#![no_std]
#![no_main]

extern crate alloc;

mod address_space;
mod channel;
mod exchange;
mod failure;
mod fault;
mod fork_server;
mod guest;
mod heap;
mod jail;
mod platform;
mod prefault;
mod restored_memory;
mod shared_memory;
mod start;
mod system_calls;
