//! The process of an image that starts guests.

use std::{
    fs::File,
    io::{self, IoSlice, IoSliceMut, Read as _, Write as _},
    mem::MaybeUninit,
    ops::Range,
    os::{
        fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use isolette_abi::frames::control;
use rustix::{
    fs::{MemfdFlags, memfd_create},
    io::{Errno, retry_on_intr},
    net::{
        AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
        sockopt::{Timeout, set_socket_timeout},
    },
};

use super::{
    frames::Process, handle::Handle, memory::Memory, pages::Contents, provided_memory::Memories, sealing::seal, starter,
};

/// The most bytes of a runtime. It is a program of less than a megabyte.
const RUNTIME_LIMIT: u64 = 64 << 20;

/// The files of an image, open, so that every fork server gets the same.
#[derive(Debug)]
pub(super) struct Files {
    code: File,
    runtime: File,
    /// The SHA-256 of the code and of the runtime.
    pub(super) digests: [String; 2],
}

impl Files {
    /// Opens the code and the runtime, each given with its SHA-256.
    pub(super) fn open(code: (&Path, &str), runtime: (&Path, &str)) -> Result<Self, String> {
        let open = |path: &Path| File::open(path).map_err(|error| format!("cannot open {}: {error}", path.display()));
        let digests = [code, runtime].map(|(_, digest)| digest.to_owned());
        let runtime =
            sealed(open(runtime.0)?).map_err(|error| format!("cannot keep the runtime in memory: {error}"))?;
        Ok(Self { code: open(code.0)?, runtime, digests })
    }

    /// Returns another descriptor of the code.
    pub(super) fn code(&self) -> io::Result<File> {
        self.code.try_clone()
    }
}

/// A fork server that runs. When this is dropped, the process is killed, and all guests that it started with it.
#[derive(Debug)]
pub(super) struct ForkServer {
    socket: OwnedFd,
    program: Child,
    /// Whether an answer was lost, so that the next one would belong to another question.
    is_broken: bool,
    base: Option<[u8; 32]>,
    memories: Arc<Memories>,
}

/// A list of pages that guests copy before their first run.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Pages {
    /// The pages that most programs write to.
    Likely,
    /// The pages that even a short program writes to.
    Certain,
}

/// A fork server answers within this time on any machine. It loads code, which takes some milliseconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

impl ForkServer {
    /// Starts the runtime and has it load the code, which takes some milliseconds.
    pub(super) fn start(files: &Files) -> Result<Self, String> {
        Self::start_with(files, &[], None)
    }

    /// Starts the runtime in the memory of a fork server that had loaded the same code. `contents` is what that had mapped of the
    /// code's file, and `base` the digest of its memory.
    pub(super) fn start_in(
        files: &Files,
        memory: &File,
        contents: &[Contents],
        base: [u8; 32],
    ) -> Result<Self, String> {
        let mut server = Self::start_with(files, contents, Some(memory))?;
        server.base = Some(base);
        Ok(server)
    }

    fn start_with(files: &Files, contents: &[Contents], memory: Option<&File>) -> Result<Self, String> {
        let Files { code, runtime, .. } = files;
        let length = code.metadata().map_err(|error| format!("cannot read the length of the code: {error}"))?.len();
        let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|error| format!("cannot create a socket: {error}"))?;
        let mut command = Command::new(format!("/proc/self/fd/{}", runtime.as_raw_fd()));
        command.env_clear().stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // A process that is stopped must neither be continued with the host's group, nor make the kernel hang that group up.
        command.process_group(0);
        set_socket_timeout(&socket, Timeout::Recv, Some(ANSWER_TIMEOUT))
            .map_err(|error| format!("cannot limit the time of a socket: {error}"))?;
        let (program, memories) = (starter::start(command)?, Arc::default());
        let mut server = Self { socket, program, is_broken: false, base: None, memories };
        let host = std::process::id().to_le_bytes();
        let numbers = contents.iter().flat_map(|part| [part.addresses.start, part.length(), part.position]);
        let numbers: Vec<u8> = [length].into_iter().chain(numbers).flat_map(u64::to_le_bytes).collect();
        let descriptors: Vec<_> = [Some(code), memory].into_iter().flatten().map(AsFd::as_fd).collect();
        server.send(&[&[control::LOAD], &host[..], &numbers].concat(), &descriptors)?;
        server.answer().map(|_| server)
    }

    /// Starts a guest, which copies the pages of a list before its first run.
    pub(super) fn spawn(&mut self, pages: Pages) -> Result<Process, String> {
        self.start_guest(&[control::SPAWN, pages as u8], None)
    }

    /// Starts a guest in memory that has been copied from another process. It can write to at most `limit` bytes.
    pub(super) fn restore(&mut self, memory: &Memory, limit: u64) -> Result<Process, String> {
        let packet = [&[control::SPAWN], &limit.to_le_bytes()[..]].concat();
        let memory = memory.file().map_err(|error| format!("cannot keep the memory of the guest: {error}"))?;
        self.start_guest(&packet, Some(memory.as_fd()))
    }

    /// Starts a guest for which the kernel finds each of these pages only once it is used.
    pub(super) fn observe(&mut self, pages: &[Range<u64>]) -> Result<Process, String> {
        self.start_guest(&packet(&[control::OBSERVE], pages), None)
    }

    fn start_guest(&mut self, packet: &[u8], memory: Option<BorrowedFd<'_>>) -> Result<Process, String> {
        let (socket, theirs) = UnixStream::pair().map_err(|error| format!("cannot create a socket: {error}"))?;
        let taken = self.memories.take();
        let shared = taken.map_err(|error| format!("cannot make memory to share with a guest: {error}"))?;
        let descriptors: Vec<_> = [Some(theirs.as_fd()), Some(shared.file()), memory].into_iter().flatten().collect();
        self.send(packet, &descriptors)?;
        let (packet, descriptor) = self.answer()?;
        let number = packet.first_chunk().map(|number| u32::from_le_bytes(*number));
        match (number, descriptor) {
            (Some(number), Some(descriptor)) => {
                let handle = Arc::new(Handle::new(descriptor, number));
                Ok(Process::new(socket, shared.provide(&handle, &self.memories), handle))
            }
            _ => Err("the fork server sent no process".into()),
        }
    }

    /// Sets the pages of a list.
    pub(super) fn set_pages(&mut self, list: Pages, pages: &[Range<u64>]) -> Result<(), String> {
        self.send(&packet(&[control::PREFAULT, list as u8], pages), &[])?;
        self.answer().map(drop)
    }

    /// Has the process read these pages, so that the kernel need not find them for each guest.
    pub(super) fn read_pages(&mut self, pages: &[Range<u64>]) -> Result<(), String> {
        self.send_all(control::READ, pages)
    }

    /// Has the process forget where these pages of files are, none of which it has written to.
    pub(super) fn forget_pages(&mut self, pages: &[Range<u64>]) -> Result<(), String> {
        self.send_all(control::FORGET, pages)
    }

    /// Has the process map these parts of the code from a file with the same bytes, in large pages.
    pub(super) fn map_code_from(&mut self, file: &File, parts: &[Range<u64>]) -> Result<(), String> {
        self.send(&packet(&[control::CODE], parts), &[file.as_fd()])?;
        self.answer().map(drop)
    }

    fn send_all(&mut self, kind: u8, ranges: &[Range<u64>]) -> Result<(), String> {
        for part in ranges.chunks(RANGES) {
            self.send(&packet(&[kind], part), &[])?;
            self.answer()?;
        }
        Ok(())
    }

    /// The digest of the memory in which guests start. Memory that was copied from a guest means the same only where this is
    /// the same.
    pub(super) fn base(&mut self) -> io::Result<[u8; 32]> {
        if let Some(base) = self.base {
            return Ok(base);
        }
        let base = Memory::digest(self.number())?;
        self.base = Some(base);
        Ok(base)
    }

    /// Whether the process has ended, which it does only if something outside ends it, or is out of step.
    pub(super) fn is_unusable(&mut self) -> bool {
        self.is_broken || !matches!(self.program.try_wait(), Ok(None))
    }

    /// The number of the process.
    pub(super) fn number(&self) -> u32 {
        self.program.id()
    }

    fn send(&mut self, packet: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), String> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        let sent = retry_on_intr(|| sendmsg(&self.socket, &[IoSlice::new(packet)], &mut control, SendFlags::NOSIGNAL));
        match sent {
            // A fork server that ended has left the reason as an answer.
            Ok(_) | Err(Errno::PIPE) => Ok(()),
            Err(error) => Err(format!("cannot reach the fork server: {error}")),
        }
    }

    /// Waits for the answer to a packet. Returns the bytes after its first one, and the descriptor that came with it.
    fn answer(&mut self) -> Result<(Vec<u8>, Option<OwnedFd>), String> {
        let mut packet = [0; control::LIMIT];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::CMSG_CLOEXEC;
        // The fork server counts as broken until the answer is understood.
        self.is_broken = true;
        let received =
            retry_on_intr(|| recvmsg(&self.socket, &mut [IoSliceMut::new(&mut packet)], &mut control, flags))
                .map_err(|error| format!("cannot hear the fork server: {error}"))?;
        let descriptor = control.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
            _ => None,
        });
        match packet.get(..received.bytes) {
            Some([control::DONE, rest @ ..]) => {
                self.is_broken = false;
                Ok((rest.to_vec(), descriptor))
            }
            Some([control::FAILED, reason @ ..]) => {
                self.is_broken = false;
                Err(String::from_utf8_lossy(reason).into_owned())
            }
            _ => Err("the fork server ended unexpectedly".into()),
        }
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The most ranges in a packet.
const RANGES: usize = (control::LIMIT - 2) / control::RANGE;

/// A packet with the first of these ranges, as many as it can have, after two bytes at most.
fn packet(head: &[u8], ranges: &[Range<u64>]) -> Vec<u8> {
    let numbers = ranges.iter().take(RANGES).flat_map(|range| [range.start, range.end - range.start]);
    head.iter().copied().chain(numbers.flat_map(u64::to_le_bytes)).collect()
}

/// Copies a file to memory that cannot be changed. It can be executed whatever the mode of the file and the options of its file system are.
fn sealed(file: File) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Kernels before 6.3 do not know the flag, and have no setting that would require it.
    let memory = memfd_create("isolette-runtime", flags | MemfdFlags::EXEC).or_else(|error| match error {
        Errno::INVAL => memfd_create("isolette-runtime", flags),
        error => Err(error),
    });
    let mut copy = File::from(memory?);
    let mut bytes = Vec::new();
    file.take(RUNTIME_LIMIT).read_to_end(&mut bytes)?;
    copy.write_all(&bytes)?;
    seal(&copy)?;
    Ok(copy)
}
