//! The jail: what a process can ask of the kernel once a guest's code runs in it.
//!
//! It can read and write its one socket, make memory of the region accessible, return from a signal, and end. Anything else
//! kills it. A program that escapes from WebAssembly and controls the process is here.
//!
//! A process that continues in the memory of another guest is locked in before it maps that memory, because nothing in it can be
//! trusted: it contains the runtime's own variables. Until all is mapped, the process can also map files that it has been given,
//! close them, and lock itself in further.

use crate::{
    address_space::{REGION, REGION_SIZE},
    channel::SOCKET,
    system_calls::{self, Errno, MAP_FIXED, MAP_PRIVATE},
};

/// One instruction of a filter: `struct sock_filter` of the kernel.
#[repr(C)]
#[derive(Clone, Copy)]
struct Instruction {
    code: u16,
    if_true: u8,
    if_false: u8,
    value: u32,
}

/// `struct sock_fprog` of the kernel.
#[repr(C)]
struct Program {
    length: u16,
    instructions: *const Instruction,
}

const LOAD: u16 = 0x20;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

/// Positions in `struct seccomp_data`: the number of the call, the architecture, and the halves of arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn low(argument: u32) -> u32 {
    16 + 8 * argument
}
const fn high(argument: u32) -> u32 {
    low(argument) + 4
}

const X86_64: u32 = 0xc000_003e;
const KILL_PROCESS: u32 = 0x8000_0000;
const ALLOW: u32 = 0x7fff_0000;

const READ: u32 = 0;
const WRITE: u32 = 1;
const CLOSE: u32 = 3;
const MMAP: u32 = 9;
const MPROTECT: u32 = 10;
const RT_SIGRETURN: u32 = 15;
const EXIT: u32 = 60;
const PRCTL: u32 = 157;

const READ_ONLY: u32 = 1;
const READ_WRITE: u32 = 3;

const fn load(position: u32) -> Instruction {
    Instruction { code: LOAD, if_true: 0, if_false: 0, value: position }
}

/// Goes on with the next instruction if the value is equal, else `otherwise` instructions later.
const fn require(value: u32, otherwise: u8) -> Instruction {
    Instruction { code: IF_EQUAL, if_true: 0, if_false: otherwise, value }
}

/// Skips `skipped` instructions if the value is equal.
const fn skip_if(value: u32, skipped: u8) -> Instruction {
    Instruction { code: IF_EQUAL, if_true: skipped, if_false: 0, value }
}

const fn answer(action: u32) -> Instruction {
    Instruction { code: RETURN, if_true: 0, if_false: 0, value: action }
}

/// The first 32 bits of the addresses of the region, and of lengths: less than 8 GiB.
const FIRST: u32 = (REGION >> 32) as u32;
const END: u32 = ((REGION + REGION_SIZE) >> 32) as u32;
const LENGTH_END: u32 = 2;

/// Ends with the two answers.
const FILTER: [Instruction; 21] = [
    load(ARCHITECTURE),
    require(X86_64, 17),
    load(NUMBER),
    skip_if(READ, 13),
    skip_if(WRITE, 12),
    skip_if(RT_SIGRETURN, 14),
    skip_if(EXIT, 13),
    require(MPROTECT, 11),
    load(low(2)),
    require(READ_WRITE, 9),
    load(high(2)),
    require(0, 7),
    load(high(0)),
    Instruction { code: IF_AT_LEAST, if_true: 0, if_false: 5, value: FIRST },
    Instruction { code: IF_AT_LEAST, if_true: 4, if_false: 0, value: END },
    load(high(1)),
    Instruction { code: IF_AT_LEAST, if_true: 2, if_false: 3, value: LENGTH_END },
    // Reading and writing: of the socket. The kernel looks at the low half only.
    load(low(0)),
    skip_if(SOCKET as u32, 1),
    answer(KILL_PROCESS),
    answer(ALLOW),
];

/// The filter of a process that maps memory: private mappings of files at fixed addresses, and access for reading and writing,
/// never for executing. It has no file but that memory and its socket. Ends with the two answers.
const MAPPING_FILTER: [Instruction; 26] = [
    load(ARCHITECTURE),
    require(X86_64, 22),
    load(NUMBER),
    skip_if(MMAP, 8),
    skip_if(MPROTECT, 13),
    skip_if(PRCTL, 15),
    skip_if(CLOSE, 18),
    skip_if(READ, 17),
    skip_if(WRITE, 16),
    skip_if(RT_SIGRETURN, 15),
    skip_if(EXIT, 14),
    answer(KILL_PROCESS),
    // mmap
    load(low(3)),
    require((MAP_PRIVATE | MAP_FIXED) as u32, 10),
    load(low(2)),
    skip_if(READ_ONLY, 9),
    require(READ_WRITE, 7),
    answer(ALLOW),
    // mprotect
    load(low(2)),
    require(READ_WRITE, 4),
    answer(ALLOW),
    // prctl: to be locked in further
    load(low(0)),
    require(PR_SET_SECCOMP as u32, 1),
    answer(ALLOW),
    answer(KILL_PROCESS),
    answer(ALLOW),
];

const PR_SET_NO_NEW_PRIVS: usize = 38;
const PR_SET_SECCOMP: usize = 22;
const SECCOMP_MODE_FILTER: usize = 2;

const RLIMIT_DATA: usize = 2;
const RLIMIT_CORE: usize = 4;

/// The most bytes of memory that the process can ever write to: that of a WebAssembly guest, with a stack and a heap. The host
/// sets a lower limit when it knows that of the guest.
const MEMORY: u64 = (4 << 30) + (256 << 20);

/// Limits the process, for good. `memory` is the most bytes that it can write to, if that is known.
pub(crate) fn limit(memory: Option<u64>) -> Result<(), Errno> {
    // Memory of a guest must not be written to a disk. One byte instead of none also keeps it from a program that collects
    // dumps (core(5)).
    system_calls::set_limit(RLIMIT_CORE, 1)?;
    system_calls::set_limit(RLIMIT_DATA, memory.map_or(MEMORY, |memory| memory.min(MEMORY)))?;
    // SAFETY: no memory is concerned.
    unsafe { system_calls::control_process(PR_SET_NO_NEW_PRIVS, [1, 0, 0, 0]) }
}

/// Locks this process in, for good, except that it can map memory and lock itself in further. To be called after [`limit`].
pub(crate) fn enter_to_map() -> Result<(), Errno> {
    apply(&MAPPING_FILTER)
}

/// Locks this process in, for good. To be called after [`limit`].
pub(crate) fn enter() -> Result<(), Errno> {
    apply(&FILTER)
}

fn apply(filter: &'static [Instruction]) -> Result<(), Errno> {
    let program = Program { length: filter.len() as u16, instructions: filter.as_ptr() };
    // SAFETY: the kernel copies the filter.
    unsafe { system_calls::control_process(PR_SET_SECCOMP, [SECCOMP_MODE_FILTER, &raw const program as usize, 0, 0]) }
}
