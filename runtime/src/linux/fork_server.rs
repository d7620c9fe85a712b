//! The process that creates the guest once, and then starts copies of itself.

use alloc::format;
use core::{ptr::NonNull, sync::atomic::Ordering::Relaxed};

use isolette_abi::frames::{Kind, control};
use isolette_runtime::Guest;
use wasmtime::{Engine, Error, Result};

use crate::{
    address_space::{self, CODE},
    channel::{self, SOCKET},
    failure::{IS_GUEST, fail},
    guest::{self, Socket},
    jail,
    platform::CODE_FILE,
    prefault,
    system_calls::{self, EINTR, Errno, Forked, SignalAction},
};

const PR_SET_PDEATHSIG: usize = 1;
const SIGKILL: usize = 9;

/// Ignored signals: that a copy ended, which the kernel then forgets; and those that a terminal or a service manager sends to
/// the host and all that it started, since the host decides when a guest ends (hang-up, interrupt, quit, terminate, stop).
const IGNORED: [i32; 6] = [17, 1, 2, 3, 15, 20];

const SIG_IGN: usize = 1;

/// Loads the code that the host sends, and then does what it asks for until it closes the socket.
pub(crate) fn serve() -> ! {
    let guest = match load() {
        Ok(guest) => guest,
        Err(error) => fail(format_args!("{error:#}")),
    };
    answer(&[control::DONE], None);
    loop {
        let mut packet = [0; control::LIMIT];
        let (length, socket) = receive(&mut packet);
        match (packet.get(..length), socket) {
            (Some([control::SPAWN, ..]), Some(socket)) => match spawn(socket) {
                Ok(Some((number, descriptor))) => {
                    let [a, b, c, d] = number.to_le_bytes();
                    answer(&[control::DONE, a, b, c, d], Some(descriptor));
                    system_calls::close(descriptor);
                    system_calls::close(socket);
                }
                // This is the copy.
                Ok(None) => {
                    prefault::perform();
                    guest::serve(guest)
                }
                Err(Errno(number)) => {
                    system_calls::close(socket);
                    let text = format!("cannot start a process: error {number} of the system");
                    answer(&[&[control::FAILED], text.as_bytes()].concat(), None);
                }
            },
            (Some([control::PREFAULT, pages @ ..]), None) => {
                prefault::set(pages);
                answer(&[control::DONE], None);
            }
            _ => fail(format_args!("the host sent a packet that this runtime does not know")),
        }
    }
}

fn receive(packet: &mut [u8]) -> (usize, Option<i32>) {
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

fn load() -> Result<Guest<Socket>> {
    // Whatever the host has left open is not for a guest.
    system_calls::close_from(SOCKET + 1).map_err(refused("close what the host has left open"))?;
    let mut packet = [0; control::LIMIT];
    let (length, file) = receive(&mut packet);
    let (Some([control::LOAD, rest @ ..]), Some(file)) = (packet.get(..length), file) else {
        return Err(Error::msg("the host did not send the code"));
    };
    let (Some((host, rest)), Some(_)) = (rest.split_first_chunk(), rest.get(11)) else {
        return Err(Error::msg("the host did not send the length of the code"));
    };
    let (host, length) = (u32::from_le_bytes(*host), u64::from_le_bytes(rest.try_into().map_err(Error::new)?) as usize);
    end_with(host as usize).map_err(refused("set the signal at the end of the host"))?;
    let ignored = SignalAction { handler: SIG_IGN, flags: 0, restorer: 0, mask: 0 };
    for signal in IGNORED {
        // SAFETY: to ignore a signal needs no function.
        unsafe { system_calls::set_signal_action(signal, &ignored) }.map_err(refused("ignore signals"))?;
    }
    address_space::map_code(file, length).map_err(refused("map the code"))?;
    CODE_FILE.store(file, Relaxed);
    let engine = Engine::new(&isolette_runtime::settings())?;
    let code = NonNull::new(core::ptr::slice_from_raw_parts_mut(CODE as *mut u8, length))
        .ok_or_else(|| Error::msg("there is no code at address zero"))?;
    // SAFETY: the host has compared the code with the digest in the image's manifest, and code is trusted like a binary.
    // It stays mapped as long as the process exists.
    let component = unsafe { isolette_runtime::component(&engine, code)? };
    let guest = Guest::new(&component, Socket)?;
    CODE_FILE.store(-1, Relaxed);
    system_calls::close(file);
    Ok(guest)
}

fn refused(what: &'static str) -> impl FnOnce(Errno) -> Error {
    move |Errno(number)| Error::msg(format!("cannot {what}: error {number} of the system"))
}

/// Makes the kernel end this process when the one that started it ends, and checks that it has not ended yet.
fn end_with(parent: usize) -> Result<(), Errno> {
    // SAFETY: no memory is concerned.
    unsafe { system_calls::control_process(PR_SET_PDEATHSIG, [SIGKILL, 0, 0, 0])? };
    if system_calls::parent() == parent { Ok(()) } else { system_calls::exit(0) }
}

/// Starts a copy. In this process, returns its number and a descriptor of it; in the copy, `None`.
fn spawn(socket: i32) -> Result<Option<(u32, i32)>, Errno> {
    let own = system_calls::process();
    match system_calls::fork()? {
        Forked::Parent { number, descriptor } => Ok(Some((number, descriptor))),
        Forked::Child => {
            if let Err(Errno(number)) = become_guest(own, socket) {
                fail(format_args!("cannot lock a process in: error {number} of the system"));
            }
            Ok(None)
        }
    }
}

fn become_guest(parent: usize, socket: i32) -> Result<(), Errno> {
    // From here on, failures must not go to the socket of the fork server.
    IS_GUEST.store(true, Relaxed);
    if system_calls::duplicate(socket, SOCKET).is_err() {
        system_calls::exit(1);
    }
    system_calls::close(socket);
    end_with(parent)?;
    jail::enter()?;
    channel::send(Kind::Ready, &[]);
    Ok(())
}
