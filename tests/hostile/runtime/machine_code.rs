//! Takes a guest's process over: replaces the code that its runtime runs next, as a program could that has escaped from
//! WebAssembly and from the compiler's rules.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt as _,
    time::{Duration, Instant},
};

use isolette_abi::{
    frames::Kind,
    shared_memory::{ADDRESS, FRAME, TO_HOST},
};

/// What the process tells the host if the system call did not end it.
pub(crate) const SURVIVED: &[u8] = b"survived";

/// A process that has nothing to do waits within this time on any machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A system call: its number and arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemCall {
    pub(crate) name: &'static str,
    pub(crate) number: u64,
    pub(crate) arguments: [u64; 6],
}

/// Has a process that waits for the host make a system call when the host next sends something. If that does not end the
/// process, it sends a frame of this kind with [`SURVIVED`].
pub(crate) fn take_over(process: u32, call: &SystemCall, kind: Kind) {
    let mut code = Vec::new();
    // mov rdi, rsi, rdx, r10, r8, r9
    let registers = [[0x48, 0xbf], [0x48, 0xbe], [0x48, 0xba], [0x49, 0xba], [0x49, 0xb8], [0x49, 0xb9]];
    for (register, argument) in registers.iter().zip(call.arguments) {
        code.extend_from_slice(register);
        code.extend_from_slice(&argument.to_le_bytes());
    }
    // mov rax
    code.extend_from_slice(&[0x48, 0xb8]);
    code.extend_from_slice(&call.number.to_le_bytes());
    // syscall
    code.extend_from_slice(&[0x0f, 0x05]);
    let frame = [&kind.header(SURVIVED.len())[..], SURVIVED].concat();
    code.extend_from_slice(&send(&frame));
    replace(process, &code);
}

/// Has a process send these bytes when the host next sends something, and then wait for more.
pub(crate) fn have_it_send(process: u32, bytes: &[u8]) {
    replace(process, &send(bytes));
}

/// Has a process write a frame and a state into the memory that it shares with the host, when the host next sends something, and
/// then do nothing without end.
pub(crate) fn have_it_hand_over(process: u32, frame: &[u8], state: u32) {
    let slot = ADDRESS + TO_HOST as u64;
    let mut code = vec![0x48, 0xbf]; // mov rdi: where the frame goes
    code.extend_from_slice(&(slot + FRAME as u64).to_le_bytes());
    code.extend_from_slice(&[0x48, 0x8d, 0x35]); // lea rsi, [rip + …]: behind the code
    let after_lea = 25_u32;
    code.extend_from_slice(&after_lea.to_le_bytes());
    code.push(0xb9); // mov ecx: the length
    code.extend_from_slice(&u32::try_from(frame.len()).expect("a short frame").to_le_bytes());
    code.extend_from_slice(&[0xf3, 0xa4, 0x48, 0xb8]); // rep movsb; mov rax: the slot
    code.extend_from_slice(&slot.to_le_bytes());
    code.extend_from_slice(&[0xc7, 0x00]); // mov dword [rax]: the state
    code.extend_from_slice(&state.to_le_bytes());
    code.extend_from_slice(&[0xeb, 0xfe]); // jmp to itself
    code.extend_from_slice(frame);
    replace(process, &code);
}

/// Code that writes the bytes to the socket and then reads from it without end.
fn send(bytes: &[u8]) -> Vec<u8> {
    let mut code = vec![0x31, 0xff]; // xor edi, edi: the socket
    code.extend_from_slice(&[0x48, 0x8d, 0x35]); // lea rsi, [rip + …]: behind the code
    let after_lea = 19_u32 + 2;
    code.extend_from_slice(&after_lea.to_le_bytes());
    code.push(0xba); // mov edx: the length
    code.extend_from_slice(&u32::try_from(bytes.len()).expect("a short frame").to_le_bytes());
    code.extend_from_slice(&[0xb8, 1, 0, 0, 0, 0x0f, 0x05]); // mov eax, 1; syscall: write
    code.extend_from_slice(&[0x31, 0xc0, 0x0f, 0x05]); // xor eax, eax; syscall: read, into the code, which does not work
    code.extend_from_slice(&[0xeb, 0xfa, 0x90, 0x90, 0x90]); // jmp to the read
    code.extend_from_slice(bytes);
    code
}

/// Waits until the process waits. Returns the address where it goes on when its system call returns. After an answer it may
/// still be on its way to the call: what changes its memory then changes what it does now.
pub(crate) fn waiting_at(process: u32) -> u64 {
    let started = Instant::now();
    loop {
        let state = fs::read_to_string(format!("/proc/{process}/syscall")).expect("the state of a child can be read");
        let next = state.split_ascii_whitespace().last().and_then(|text| text.strip_prefix("0x"));
        match next.and_then(|text| u64::from_str_radix(text, 16).ok()) {
            Some(next) => return next,
            None => assert!(started.elapsed() < TIMEOUT, "the process does not wait: {state}"),
        }
        std::thread::yield_now();
    }
}

/// Writes code where the process goes on when its system call returns. That the code cannot be written to does not matter:
/// this process may change the memory of its children.
fn replace(process: u32, code: &[u8]) {
    let next = waiting_at(process);
    let memory = File::options().write(true).open(format!("/proc/{process}/mem")).expect("the memory of a child");
    memory.write_all_at(code, next).expect("the memory of a child can be written to");
}
