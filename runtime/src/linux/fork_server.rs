//! The process that creates the guest once, or continues where another one had created it, and then starts copies of itself.
//!
//! Once the guest exists, this process changes nothing that a copy shares with it: it works on the kernel's stack and without
//! the heap. So the memory of a copy is described by what the copy itself has written to.

use core::{
    ptr::NonNull,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use isolette_abi::frames::{Kind, control};
use isolette_instance::NATIVE_STACK;
use wasmtime::{Engine, Error, Result};

use crate::{
    address_space::{self, CODE},
    channel::{self, SOCKET},
    exchange,
    failure::{IS_GUEST, Text, fail},
    guest::{self, Socket},
    jail,
    platform::CODE_FILE,
    prefault::{self, Pages},
    restored_memory, shared_memory, start,
    system_calls::{self, EINTR, Errno, Forked, SignalAction},
};

const PR_SET_PDEATHSIG: usize = 1;
const SIGKILL: usize = 9;

/// Ignored signals: that a copy ended, which the kernel then forgets; and those that a terminal or a service manager sends to
/// the host and all that it started, since the host decides when a guest ends (hang-up, interrupt, quit, terminate, stop).
const IGNORED: [i32; 6] = [17, 1, 2, 3, 15, 20];

const SIG_IGN: usize = 1;

/// The length of the code, for the stack on which the guest is created.
static CODE_LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Loads the code that the host sends, and then does what it asks for until it closes the socket. `stack` is the end of the
/// guest's stack.
pub(crate) fn serve(stack: usize) -> ! {
    load(stack);
    answer(&[control::DONE], None);
    let mut lists = [const { Pages::new() }; control::LISTS];
    // Created only once: memory that this process writes to after it has started a copy has to be copied.
    let mut packet = [0; control::LIMIT];
    loop {
        let (length, descriptors) = receive(&mut packet);
        match (packet.get(..length), descriptors) {
            (Some([control::SPAWN, list]), [Some(socket), Some(shared), None]) if is_known(*list) => {
                spawn(&Guest { socket, shared, start: Start::Copied(&lists[usize::from(*list)]), stack });
                [socket, shared].into_iter().for_each(system_calls::close);
            }
            (Some([control::OBSERVE, ranges @ ..]), [Some(socket), Some(shared), None]) => {
                spawn(&Guest { socket, shared, start: Start::Apart(ranges), stack });
                [socket, shared].into_iter().for_each(system_calls::close);
            }
            (Some([control::SPAWN, limit @ ..]), [Some(socket), Some(shared), Some(file)])
                if limit.len() == size_of::<u64>() =>
            {
                let mut bytes = [0; size_of::<u64>()];
                bytes.copy_from_slice(limit);
                let start = Start::In { memory: file, limit: u64::from_le_bytes(bytes) };
                spawn(&Guest { socket, shared, start, stack });
                [socket, shared, file].into_iter().for_each(system_calls::close);
            }
            (Some([control::PREFAULT, list, ranges @ ..]), [None, None, None]) if is_known(*list) => {
                lists[usize::from(*list)].set(ranges);
                answer(&[control::DONE], None);
            }
            (Some([control::READ, ranges @ ..]), [None, None, None]) => {
                prefault::read(ranges);
                answer(&[control::DONE], None);
            }
            (Some([control::FORGET, ranges @ ..]), [None, None, None]) => {
                prefault::forget(ranges);
                answer(&[control::DONE], None);
            }
            (Some([control::CODE, ranges @ ..]), [Some(file), None, None]) => {
                match address_space::map_code_from(file, ranges) {
                    Ok(()) => answer(&[control::DONE], None),
                    Err(Errno(number)) => {
                        let reason = Text::packet(format_args!("cannot map the code: error {number} of the system"));
                        answer(reason.bytes(), None);
                    }
                }
                system_calls::close(file);
            }
            _ => fail(format_args!("the host sent a packet that this runtime does not know")),
        }
    }
}

/// Whether there is a list of pages with this number.
fn is_known(list: u8) -> bool {
    usize::from(list) < control::LISTS
}

fn receive(packet: &mut [u8]) -> (usize, [Option<i32>; 3]) {
    loop {
        match system_calls::receive(SOCKET, packet) {
            Ok((0, _)) => system_calls::exit(0),
            Ok(received) => return received,
            Err(EINTR) => {}
            Err(_) => system_calls::exit(1),
        }
    }
}

fn answer(packet: &[u8], descriptor: Option<i32>) {
    if system_calls::send(SOCKET, packet, descriptor).is_err() {
        system_calls::exit(1);
    }
}

/// Receives the code, and creates the guest or takes over the memory of a process that had created it.
fn load(stack: usize) {
    // Descriptors that the host has left open are not for a guest.
    must("close what the host has left open", system_calls::close_from(SOCKET + 1));
    let mut packet = [0; control::LIMIT];
    let (length, descriptors) = receive(&mut packet);
    let (Some([control::LOAD, rest @ ..]), [Some(code), memory, None]) = (packet.get(..length), descriptors) else {
        fail(format_args!("the host did not send the code"));
    };
    let Some((host, rest)) = rest.split_first_chunk() else { fail(format_args!("the host did not say who it is")) };
    let (Some((length, contents)), []) = (rest.split_first_chunk(), rest.as_chunks::<8>().1) else {
        fail(format_args!("the host did not send the length of the code"));
    };
    let (host, length) = (u32::from_le_bytes(*host) as usize, u64::from_le_bytes(*length) as usize);
    must("set the signal at the end of the host", end_with(host));
    let ignored = SignalAction { handler: SIG_IGN, flags: 0, restorer: 0, mask: 0 };
    for signal in IGNORED {
        // SAFETY: to ignore a signal needs no function.
        must("ignore signals", unsafe { system_calls::set_signal_action(signal, &ignored) });
    }
    must("map the code", address_space::map_code(code, length));
    match memory {
        Some(memory) => {
            must("continue in the memory of another process", take_over(code, contents, memory));
            system_calls::close(memory);
        }
        None => {
            CODE_FILE.store(code, Relaxed);
            CODE_LENGTH.store(length, Relaxed);
            // SAFETY: the guest has not been created yet.
            unsafe { start::call_on(stack, create_guest) };
            CODE_FILE.store(-1, Relaxed);
            // The bytes that remain on the stack depend on this process, and guests have to begin with the same memory in each.
            // SAFETY: nothing uses the guest's stack.
            must("clear the stack", unsafe { system_calls::clear(stack - NATIVE_STACK, NATIVE_STACK) });
        }
    }
    system_calls::close(code);
}

/// Maps the memory of a process that has loaded the same code, where it was in that process. The variables of this program, which
/// are part of it, are those of that process from then on.
fn take_over(code: i32, contents: &[u8], memory: i32) -> Result<(), Errno> {
    let (contents, _) = contents.as_chunks::<{ control::CONTENTS }>();
    for part in contents {
        let number =
            |index: usize| part[8 * index..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes) as usize);
        // SAFETY: no guest has been created in this process, so nothing refers to these addresses.
        unsafe { address_space::map_memory(number(0), number(1), code, number(2))? };
    }
    restored_memory::map(memory)?;
    restored_memory::own_runs();
    Ok(())
}

extern "C" fn create_guest() {
    match new_guest() {
        Ok(guest) => guest::keep(guest),
        Err(error) => fail(format_args!("{error:#}")),
    }
}

fn new_guest() -> Result<isolette_runtime::Guest<Socket>> {
    let engine = Engine::new(&isolette_runtime::settings())?;
    let length = CODE_LENGTH.load(Relaxed);
    let code = NonNull::new(core::ptr::slice_from_raw_parts_mut(CODE as *mut u8, length))
        .ok_or_else(|| Error::msg("there is no code at address zero"))?;
    // SAFETY: the host has compared the code with the digest in the image's manifest, and code is trusted like a binary.
    // It stays mapped as long as the process exists.
    let component = unsafe { isolette_runtime::component(&engine, code)? };
    isolette_runtime::Guest::new(&component, Socket)
}

/// Ends the process if the system refuses what it cannot do without.
fn must(what: &str, done: Result<(), Errno>) {
    if let Err(Errno(number)) = done {
        fail(format_args!("cannot {what}: error {number} of the system"));
    }
}
/// Makes the kernel end this process when the one that started it ends, and checks that it has not ended yet.
fn end_with(parent: usize) -> Result<(), Errno> {
    // SAFETY: no memory is concerned.
    unsafe { system_calls::control_process(PR_SET_PDEATHSIG, [SIGKILL, 0, 0, 0])? };
    if system_calls::parent() == parent { Ok(()) } else { system_calls::exit(0) }
}

/// The guest that a copy becomes.
struct Guest<'a> {
    /// The socket of the guest.
    socket: i32,
    /// The memory that it shares with the host.
    shared: i32,
    start: Start<'a>,
    /// The end of the guest's stack.
    stack: usize,
}

/// The memory in which a copy starts.
enum Start<'a> {
    /// The memory of this process, with pages that have been copied.
    Copied(&'a Pages),
    /// The memory of this process, where each of these pages is a mapping of its own.
    Apart(&'a [u8]),
    /// The memory of another guest, from a file. The copy can write to at most `limit` bytes.
    In { memory: i32, limit: u64 },
}

/// Starts a copy, and answers the host. It does not return in the copy.
fn spawn(guest: &Guest<'_>) {
    let own = system_calls::process();
    match system_calls::fork() {
        Ok(Forked::Parent { number, descriptor }) => {
            let [a, b, c, d] = number.to_le_bytes();
            answer(&[control::DONE, a, b, c, d], Some(descriptor));
            system_calls::close(descriptor);
        }
        Ok(Forked::Child) => become_guest(own, guest),
        Err(Errno(number)) => {
            answer(Text::packet(format_args!("cannot start a process: error {number} of the system")).bytes(), None);
        }
    }
}

fn become_guest(parent: usize, guest: &Guest<'_>) -> ! {
    // From here on, failures must not go to the socket of the fork server.
    IS_GUEST.store(true, Relaxed);
    if system_calls::duplicate(guest.socket, SOCKET).is_err() {
        system_calls::exit(1);
    }
    system_calls::close(guest.socket);
    if let Err(Errno(number)) = shared_memory::map(guest.shared) {
        fail(format_args!("cannot map memory that is shared with the host: error {number} of the system"));
    }
    system_calls::close(guest.shared);
    if let Err(Errno(number)) = lock_in(parent, &guest.start) {
        fail(format_args!("cannot lock a process in: error {number} of the system"));
    }
    if let Start::In { .. } = guest.start {
        channel::write_all(&Kind::Ready.header(0));
        exchange::resume();
    }
    // SAFETY: nothing uses the guest's stack.
    unsafe { start::continue_on(guest.stack, guest::serve) }
}

/// Brings the memory into the state in which the guest starts, and locks the process in.
fn lock_in(parent: usize, start: &Start<'_>) -> Result<(), Errno> {
    end_with(parent)?;
    match *start {
        Start::In { memory, limit } => {
            jail::limit(Some(limit))?;
            // From here on, even a failure must not depend on memory of the other guest without being locked in.
            jail::enter_to_map()?;
            restored_memory::map(memory)?;
            system_calls::close(memory);
        }
        Start::Copied(pages) => {
            jail::limit(None)?;
            pages.copy();
        }
        Start::Apart(pages) => {
            jail::limit(None)?;
            prefault::separate(pages);
        }
    }
    jail::enter()
}
