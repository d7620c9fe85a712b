//! What runs inside a micro-VM, beneath an image: the counterpart of the host's engine `microvm`.
//!
//! It knows only bytes. The host loads code that was compiled ahead of time with `load` and runs programs with `run`;
//! the image's one import is passed on as the host function `call`. It must never know what the bytes mean, and nothing
//! of it depends on a language, a policy or a capability, so one runtime serves every image.
//!
//! A micro-VM has one processor, one thread and one address space, and is restored rather than cleaned up: what is
//! allocated here is never freed, and no interrupt comes between two instructions but the faults that they cause.

#![no_std]
#![no_main]

extern crate alloc;

mod address_space;
mod code;
mod fault;
mod guest;
mod jump;
mod memory;
mod platform;
mod touched;

use hyperlight_guest_bin::guest_function::register::register_fn;

/// Called once, when the micro-VM starts.
#[unsafe(no_mangle)]
extern "C" fn hyperlight_main() {
    fault::install();
    register_fn("load", guest::load);
    register_fn("run", guest::run);
    register_fn("touched", touched::list);
    register_fn("remember", touched::remember);
    register_fn("touch", touched::touch);
}
