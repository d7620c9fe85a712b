//! Stack sizes of guests, the same for every engine in this process.

/// Bytes of native stack of the thread on which an instance runs.
pub(crate) const STACK_SIZE: usize = GUEST_STACK + HOST_STACK;

/// Bytes of the guest's stack. Deep recursion must reach the interpreter's own limit before this one: CPython counts
/// frames, and its deepest frames (nested JSON, `repr`, the parser) take some 20 KiB of native stack each.
pub(crate) const GUEST_STACK: usize = 32 << 20;

/// Bytes that the host's own code needs in addition to the guest, in the deepest host call.
const HOST_STACK: usize = 4 << 20;
