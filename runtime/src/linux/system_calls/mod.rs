//! The system calls of Linux on x86-64 that the runtime makes. After [`crate::jail::enter`], only a few are left.

mod memory;

use core::arch::asm;

pub(crate) use self::memory::{
    Access, MAP_FIXED, MAP_PRIVATE, clear, copy_all_pages, copy_pages, join_pages, leave_out_of_dumps, make_accessible,
    make_executable, map_file, map_file_unreserved, map_reserved, map_shared, use_small_pages,
};

const READ: usize = 0;
const WRITE: usize = 1;
const CLOSE: usize = 3;
const RT_SIGACTION: usize = 13;
const RT_SIGPROCMASK: usize = 14;
const DUP2: usize = 33;
const GETPID: usize = 39;
const SENDMSG: usize = 46;
const RECVMSG: usize = 47;
const CLONE: usize = 56;
const EXIT: usize = 60;
const GETPPID: usize = 110;
const SIGALTSTACK: usize = 131;
const PRCTL: usize = 157;
const PRLIMIT64: usize = 302;
const CLOSE_RANGE: usize = 436;

/// A number of an error of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) usize);

/// The call was interrupted before it did anything.
pub(crate) const EINTR: Errno = Errno(4);

/// # Safety
/// The conditions of the system call with this number.
unsafe fn call(number: usize, [a, b, c, d, e, f]: [usize; 6]) -> Result<usize, Errno> {
    let result: isize;
    // SAFETY: the caller guarantees what the call needs; the kernel changes only the registers that are named here.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    if (-4095..0).contains(&result) { Err(Errno(result.unsigned_abs())) } else { Ok(result as usize) }
}

/// Reads at most `buffer.len()` bytes; 0 at the end.
pub(crate) fn read(descriptor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
    // SAFETY: the kernel writes into the buffer, within its length.
    unsafe { call(READ, [descriptor as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0]) }
}

/// Writes at most `bytes.len()` bytes.
pub(crate) fn write(descriptor: i32, bytes: &[u8]) -> Result<usize, Errno> {
    // SAFETY: the kernel only reads the bytes.
    unsafe { call(WRITE, [descriptor as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]) }
}

/// Closes a descriptor that is not used any more.
pub(crate) fn close(descriptor: i32) {
    // SAFETY: no memory is concerned.
    let _ = unsafe { call(CLOSE, [descriptor as usize, 0, 0, 0, 0, 0]) };
}

/// Closes all descriptors from `first` on.
pub(crate) fn close_from(first: i32) -> Result<(), Errno> {
    // SAFETY: no memory is concerned.
    unsafe { call(CLOSE_RANGE, [first as usize, u32::MAX as usize, 0, 0, 0, 0]) }.map(drop)
}

/// Makes `target` a copy of a descriptor.
pub(crate) fn duplicate(descriptor: i32, target: i32) -> Result<(), Errno> {
    // SAFETY: no memory is concerned.
    unsafe { call(DUP2, [descriptor as usize, target as usize, 0, 0, 0, 0]) }.map(drop)
}

/// Ends the process.
pub(crate) fn exit(status: i32) -> ! {
    loop {
        // SAFETY: it does not return.
        let _ = unsafe { call(EXIT, [status as usize, 0, 0, 0, 0, 0]) };
    }
}

/// The action of the kernel when a signal arrives: `struct sigaction` of the kernel.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct SignalAction {
    pub(crate) handler: usize,
    pub(crate) flags: usize,
    pub(crate) restorer: usize,
    pub(crate) mask: u64,
}

/// # Safety
/// The handler must be a function for signals.
pub(crate) unsafe fn set_signal_action(signal: i32, action: &SignalAction) -> Result<(), Errno> {
    let action = core::ptr::from_ref(action) as usize;
    // SAFETY: the kernel reads the structure; the caller answers for the handler.
    unsafe { call(RT_SIGACTION, [signal as usize, action, 0, size_of::<u64>(), 0, 0]) }.map(drop)
}

/// Blocks no signal.
pub(crate) fn unblock_signals() -> Result<(), Errno> {
    const SIG_SETMASK: usize = 2;
    let none = 0_u64;
    // SAFETY: the kernel reads the mask.
    unsafe { call(RT_SIGPROCMASK, [SIG_SETMASK, &raw const none as usize, 0, size_of::<u64>(), 0, 0]) }.map(drop)
}

/// The stack on which signals are handled: `stack_t` of the kernel.
#[repr(C)]
#[derive(Debug)]
struct SignalStack {
    start: usize,
    flags: i32,
    length: usize,
}

/// # Safety
/// The memory must be used for nothing else.
pub(crate) unsafe fn set_signal_stack(start: usize, length: usize) -> Result<(), Errno> {
    let stack = SignalStack { start, flags: 0, length };
    // SAFETY: the kernel reads the structure; the caller answers for the memory.
    unsafe { call(SIGALTSTACK, [&raw const stack as usize, 0, 0, 0, 0, 0]) }.map(drop)
}

/// Returns the number of the process that started this one.
pub(crate) fn parent() -> usize {
    // SAFETY: no memory is concerned.
    unsafe { call(GETPPID, [0; 6]) }.unwrap_or(0)
}

/// Returns the number of this process.
pub(crate) fn process() -> usize {
    // SAFETY: no memory is concerned.
    unsafe { call(GETPID, [0; 6]) }.unwrap_or(0)
}

/// # Safety
/// The conditions of the option.
pub(crate) unsafe fn control_process(option: usize, arguments: [usize; 4]) -> Result<(), Errno> {
    let [a, b, c, d] = arguments;
    // SAFETY: the caller guarantees it.
    unsafe { call(PRCTL, [option, a, b, c, d, 0]) }.map(drop)
}

/// Keeps the kernel from joining pages with equal ones of other processes: it would not be known which of them a guest has written to.
pub(crate) fn keep_pages_apart() {
    const PR_SET_MEMORY_MERGE: usize = 67;
    // Kernels before 6.4 do not know it, and do not join pages that a program did not name.
    // SAFETY: no memory is concerned.
    let _ = unsafe { control_process(PR_SET_MEMORY_MERGE, [0; 4]) };
}

/// Sets the soft and the hard limit of a resource.
pub(crate) fn set_limit(resource: usize, limit: u64) -> Result<(), Errno> {
    let limits = [limit, limit];
    // SAFETY: the kernel reads two numbers.
    unsafe { call(PRLIMIT64, [0, resource, limits.as_ptr() as usize, 0, 0, 0]) }.map(drop)
}

const CLONE_PIDFD: usize = 0x1000;
const SIGCHLD: usize = 17;

/// The process that goes on after [`fork`].
#[derive(Debug)]
pub(crate) enum Forked {
    /// The new process.
    Child,
    /// The old process, with the number of the new one and a descriptor of it.
    Parent { number: u32, descriptor: i32 },
}

/// Starts a copy of this process.
pub(crate) fn fork() -> Result<Forked, Errno> {
    let mut descriptor: i32 = -1;
    // SAFETY: there is one thread, so the copy is whole. The kernel writes the descriptor.
    let child = unsafe { call(CLONE, [CLONE_PIDFD | SIGCHLD, 0, &raw mut descriptor as usize, 0, 0, 0])? };
    Ok(if child == 0 { Forked::Child } else { Forked::Parent { number: child as u32, descriptor } })
}

/// `struct iovec` of the kernel.
#[repr(C)]
struct Part {
    start: usize,
    length: usize,
}

/// `struct msghdr` of the kernel.
#[repr(C)]
struct Message {
    name: usize,
    name_length: u32,
    parts: usize,
    part_count: usize,
    control: usize,
    control_length: usize,
    flags: i32,
}

/// `struct cmsghdr` of the kernel, with at most three descriptors and what fills it up.
#[repr(C)]
#[derive(Default)]
struct Control {
    length: usize,
    level: i32,
    kind: i32,
    descriptors: [i32; 4],
}

const SOL_SOCKET: i32 = 1;
const SCM_RIGHTS: i32 = 1;
const MSG_CTRUNC: i32 = 8;
const CONTROL_HEAD: usize = 16;

/// Receives one packet, and at most three descriptors that came with it.
pub(crate) fn receive(socket: i32, buffer: &mut [u8]) -> Result<(usize, [Option<i32>; 3]), Errno> {
    let mut part = Part { start: buffer.as_mut_ptr() as usize, length: buffer.len() };
    let mut control = Control::default();
    let mut message = message(&raw mut part, &raw mut control, size_of::<Control>());
    // SAFETY: the kernel writes into the buffer and the structures, within their lengths.
    let length = unsafe { call(RECVMSG, [socket as usize, &raw mut message as usize, 0, 0, 0, 0])? };
    let are_descriptors = control.level == SOL_SOCKET && control.kind == SCM_RIGHTS && message.flags & MSG_CTRUNC == 0;
    let count = if are_descriptors { control.length.saturating_sub(CONTROL_HEAD) / size_of::<i32>() } else { 0 };
    let [first, second, third, _] = control.descriptors;
    Ok((length, [(count > 0).then_some(first), (count > 1).then_some(second), (count > 2).then_some(third)]))
}

/// Sends one packet, with a descriptor if there is one.
pub(crate) fn send(socket: i32, bytes: &[u8], descriptor: Option<i32>) -> Result<(), Errno> {
    let mut part = Part { start: bytes.as_ptr() as usize, length: bytes.len() };
    let mut control = Control {
        length: CONTROL_HEAD + size_of::<i32>(),
        level: SOL_SOCKET,
        kind: SCM_RIGHTS,
        descriptors: [descriptor.unwrap_or(-1), 0, 0, 0],
    };
    let length = if descriptor.is_some() { size_of::<Control>() } else { 0 };
    let message = message(&raw mut part, &raw mut control, length);
    // SAFETY: the kernel only reads.
    unsafe { call(SENDMSG, [socket as usize, &raw const message as usize, 0, 0, 0, 0]) }.map(drop)
}

fn message(part: *mut Part, control: *mut Control, control_length: usize) -> Message {
    Message {
        name: 0,
        name_length: 0,
        parts: part as usize,
        part_count: 1,
        control: control as usize,
        control_length,
        flags: 0,
    }
}
