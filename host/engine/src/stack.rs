//! Sizes of the stacks of guests, the same for every engine in this process.

/// Bytes of native stack that the thread needs on which an instance lives.
pub(crate) const STACK_SIZE: usize = GUEST_STACK + HOST_STACK;

/// Deep recursion must reach the interpreter's own limit before it reaches this one: CPython counts frames, and its
/// deepest (nested JSON, `repr`, the parser) take some 20 KiB of native stack each.
pub(crate) const GUEST_STACK: usize = 32 << 20;

/// What the host's own code needs on top of the guest, in the deepest host call.
const HOST_STACK: usize = 4 << 20;
