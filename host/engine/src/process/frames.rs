//! Frames to a guest's process and from it (`isolette_abi::frames`), through its socket, or through memory while the other side
//! is awake.

use std::{
    io::{ErrorKind, Read as _},
    os::unix::net::UnixStream,
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_abi::{
    frames::{HEADER, Kind},
    shared_memory::FRAME_LIMIT,
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::{SendFlags, send},
};

use super::{
    handle::Handle,
    placement::{self, Apart},
    processors,
    provided_memory::ProvidedMemory,
    spinning::{Experience, Lateness, SPIN_TIME},
};

/// The contents of a frame up to this many bytes are sent and received in one piece with their header.
const PIECE: usize = FRAME_LIMIT;

/// A guest in a process of its own. When it is dropped, the process is killed.
#[derive(Debug)]
pub(super) struct Process {
    socket: UnixStream,
    memory: ProvidedMemory,
    /// Whether the next frame of the process is awaited in the memory.
    is_awaited: bool,
    /// The time for which this thread has waited actively since the last call of [`Process::take_waited`].
    waited: Duration,
    experience: Experience,
    /// Keeps the guest off the processor of this thread, while a program runs that would share it.
    apart: Option<Apart>,
    pub(super) handle: Arc<Handle>,
    /// Whether the process has reported that it is locked in.
    is_ready: bool,
}

/// Why there is no next frame. The process cannot be used any more.
#[derive(Debug)]
pub(super) enum Broken {
    /// The process has ended, or the system refused to transfer bytes.
    Gone,
    /// The process sent bytes that the runtime never sends.
    Malformed,
    /// The runtime gave up for this reason.
    Failed(String),
}

impl Process {
    pub(super) fn new(socket: UnixStream, memory: ProvidedMemory, handle: Arc<Handle>) -> Self {
        Self {
            socket,
            memory,
            is_awaited: false,
            waited: Duration::ZERO,
            experience: Experience::default(),
            apart: None,
            handle,
            is_ready: false,
        }
    }

    /// Waits until the process is locked in.
    pub(super) fn wait_until_ready(&mut self) -> Result<(), Broken> {
        if !self.is_ready {
            match self.receive()? {
                (Kind::Ready, contents) if contents.is_empty() => self.is_ready = true,
                (Kind::Failed, contents) => {
                    return Err(Broken::Failed(String::from_utf8_lossy(&contents).into_owned()));
                }
                _ => return Err(Broken::Malformed),
            }
        }
        Ok(())
    }

    /// Returns the time for which this thread has waited actively since the last call.
    pub(super) fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }

    /// Records that the guest waits for no answer any more.
    pub(super) fn rests(&mut self) {
        self.apart = None;
    }

    /// Limits each wait for the process.
    pub(super) fn set_timeout(&self, limit: Option<Duration>) {
        let _ = self.socket.set_read_timeout(limit);
    }

    pub(super) fn send(&mut self, kind: Kind, contents: &[u8]) -> Result<(), Broken> {
        // The process may answer at once.
        let is_worthwhile = processors::are_enough_for_both_sides();
        self.apart.take_if(|apart| !is_worthwhile || apart.rest().is_zero());
        self.is_awaited = is_worthwhile && self.experience.is_good();
        self.memory.let_guest_spin(self.is_awaited);
        if self.is_awaited {
            self.memory.await_frame();
        }
        let header = kind.header(contents.len());
        if contents.len() > PIECE {
            self.send_all(&header)?;
            return self.send_all(contents);
        }
        let frame = [&header, contents].concat();
        if self.memory.offer(&frame) { Ok(()) } else { self.send_all(&frame) }
    }

    fn send_all(&mut self, mut bytes: &[u8]) -> Result<(), Broken> {
        while !bytes.is_empty() {
            match send(&self.socket, bytes, SendFlags::NOSIGNAL) {
                Ok(length) => bytes = bytes.get(length..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(_) => return Err(Broken::Gone),
            }
        }
        Ok(())
    }

    /// Receives a frame. No memory is allocated for its contents before their length is checked.
    pub(super) fn receive(&mut self) -> Result<(Kind, Vec<u8>), Broken> {
        let given_up = if std::mem::take(&mut self.is_awaited) {
            if self.is_in_memory() {
                self.experience.came_in_time();
                return self.frame_in_memory();
            }
            Some(Instant::now())
        } else {
            None
        };
        let elsewhere = self.apart.as_ref().and_then(Apart::elsewhere);
        if let Some(apart) = &self.apart
            && !self.is_readable_within(apart.rest())
        {
            // A guest that computes is not kept on one processor.
            self.apart = None;
        }
        let mut piece = [0; PIECE];
        let mut filled = 0;
        while filled < HEADER {
            filled += self.read(piece.get_mut(filled..).unwrap_or_default())?;
        }
        drop(elsewhere);
        if let Some(given_up) = given_up {
            self.came_after(given_up.elapsed());
        }
        let (header, begun) = piece[..filled].split_first_chunk().ok_or(Broken::Malformed)?;
        let (kind, length) = Kind::parse(*header).map_err(|_| Broken::Malformed)?;
        // Both sides take turns, so nothing follows the frame.
        if begun.len() > length {
            return Err(Broken::Malformed);
        }
        let mut contents = begun.to_vec();
        contents.resize(length, 0);
        let mut done = begun.len();
        while done < length {
            done += self.read(&mut contents[done..])?;
        }
        Ok((kind, contents))
    }

    /// Waits until there are bytes in the socket, or the time has passed.
    fn is_readable_within(&self, time: Duration) -> bool {
        let time = Timespec::try_from(time).unwrap_or_default();
        matches!(poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&time)), Ok(1..))
    }

    /// Records a frame that came this long after this thread had stopped waiting for it actively.
    fn came_after(&mut self, time: Duration) {
        match self.experience.came_after(time) {
            Lateness::Accident => {}
            Lateness::Suspicious if placement::is_shared(&self.handle) => {
                // The system may have moved the guest since it is kept where it was.
                self.apart = None;
                self.apart = Apart::from(&self.handle);
                if self.apart.is_none() {
                    self.experience.do_without();
                }
            }
            Lateness::Suspicious => {}
            Lateness::Useless => self.experience.do_without(),
        }
    }

    /// Waits actively for a short time. Returns whether there is a frame in the memory.
    fn is_in_memory(&mut self) -> bool {
        let began = Instant::now();
        while !self.memory.is_full() {
            if began.elapsed() > SPIN_TIME {
                break;
            }
            std::hint::spin_loop();
        }
        // This thread may have had to wait for a processor, too.
        self.waited += began.elapsed().min(SPIN_TIME);
        self.memory.give_up()
    }

    fn frame_in_memory(&self) -> Result<(Kind, Vec<u8>), Broken> {
        let mut header = [0; HEADER];
        self.memory.copy(0, &mut header);
        let (kind, length) = Kind::parse(header).map_err(|_| Broken::Malformed)?;
        if HEADER + length > FRAME_LIMIT {
            return Err(Broken::Malformed);
        }
        let mut contents = vec![0; length];
        self.memory.copy(HEADER, &mut contents);
        Ok((kind, contents))
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Broken> {
        loop {
            match self.socket.read(buffer) {
                Ok(0) => return Err(Broken::Gone),
                Ok(length) => return Ok(length),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Broken::Gone),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.handle.kill();
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use isolette_abi::shared_memory::{AWAITED, EMPTY, FULL};
    use proptest::prelude::*;

    use super::{super::provided_memory::Memories, *};

    /// The host's side of a process that does not exist, and the other end of its socket.
    fn process() -> (Process, UnixStream) {
        let (socket, other) = UnixStream::pair().unwrap();
        let unread: OwnedFd = std::fs::File::open("/dev/null").unwrap().into();
        let handle = Arc::new(Handle::new(unread, 0));
        let memories = Arc::default();
        let memory = Memories::take(&memories).unwrap().provide(&handle, &memories);
        (Process::new(socket, memory, handle), other)
    }

    fn frame(kind: Kind, contents: &[u8]) -> Vec<u8> {
        [&kind.header(contents.len())[..], contents].concat()
    }

    #[test]
    fn a_frame_in_the_memory_is_received() {
        let (mut process, _other) = process();
        for contents in [&b""[..], b"call", &[7; PIECE - HEADER]] {
            process.is_awaited = true;
            process.memory.await_frame();
            process.memory.put(&frame(Kind::Call, contents), FULL);
            let (kind, received) = process.receive().unwrap();
            assert_eq!((kind, &*received), (Kind::Call, contents));
        }
    }

    #[test]
    fn a_frame_that_is_late_is_received_through_the_socket() {
        let (mut process, other) = process();
        for state in [AWAITED, EMPTY] {
            process.is_awaited = true;
            process.memory.put(&frame(Kind::Ended, b"lie"), state);
            std::io::Write::write_all(&mut &other, &frame(Kind::Call, b"call")).unwrap();
            assert!(matches!(process.receive(), Ok((Kind::Call, contents)) if contents == b"call"));
            assert!(!process.memory.is_full());
        }
    }

    #[test]
    fn waiting_for_bytes_ends() {
        let (process, other) = process();
        assert!(!process.is_readable_within(Duration::ZERO));
        assert!(!process.is_readable_within(Duration::from_millis(1)));
        std::io::Write::write_all(&mut &other, b"x").unwrap();
        assert!(process.is_readable_within(Duration::from_secs(60)));
    }

    proptest! {
        #[test]
        fn whatever_is_in_the_memory_is_a_frame_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let (mut process, _other) = process();
            process.is_awaited = true;
            process.memory.put(&bytes, FULL);
            match process.receive() {
                Ok((_, contents)) => prop_assert!(contents.len() <= PIECE),
                Err(broken) => prop_assert!(matches!(broken, Broken::Malformed)),
            }
        }
    }
}
