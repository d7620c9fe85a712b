//! Processes that are ready for a guest.

use std::{
    io, mem,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use isolette_abi::{frames::Kind, saved::REGION};

use super::{OTHER_BASE, SavedProcess};
use super::{
    calls::until_ended,
    fork_server::{Files, ForkServer, Pages},
    frames::Process,
    large_pages::LargeCode,
    loaded,
    mapped::Mapped,
    memory::Memory,
    pages::{self, Which},
    portable::Base,
    processors,
};
use crate::{GuestState, WarmUp, ready::Wanted};

/// The most processes that wait for a guest, unless more are requested.
const LIMIT: usize = 4;

/// The number of guests after which the code that they use is copied to large pages. With the 14 MB of CPython that takes some 15 ms.
const MANY: usize = 100;

/// The warm-up answers within this time on any machine.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(30);

/// Why no process continues from a copied memory.
pub(super) enum RestoreError {
    /// The memory was copied over another one than guests of this image begin with.
    OtherBase,
    /// This process may not read the memory of the others.
    Unreadable(io::Error),
    /// The system refused a process.
    Refused(String),
}

/// The processes of one image.
#[derive(Debug)]
pub(super) struct Pool {
    server: Mutex<Server>,
    ready: Mutex<Vec<Process>>,
    /// The number of processes that the embedder wants to be ready.
    pub(super) wanted: Wanted,
    /// The state in which guests start; none for that of the fork server.
    initial: OnceLock<GuestState>,
    /// The process to which all of this belongs. A copy of it must not use the same sockets.
    host: u32,
}

/// The pages that a process has used, as far as they exist in the fork server.
struct Touched {
    /// The pages of files that the process has read.
    read: Vec<Range<u64>>,
    written: Vec<Range<u64>>,
}

#[derive(Debug)]
struct Server {
    files: Files,
    fork_server: ForkServer,
    warm_up: WarmUp,
    /// Whether the warm-up has run. Until then, processes copy pages when they first write to them.
    is_warm: bool,
    /// The pages that runs read, if the warm-up has found them.
    mapped: Option<Mapped>,
    /// The number of guests that this fork server has started.
    guests: usize,
    /// The pages of the code that the warm-up has used, until the code is in large pages.
    code: Vec<Range<u64>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Creates the pool with one process, which shows that the system permits it.
    pub(super) fn new(files: Files, warm_up: WarmUp) -> Result<Self, String> {
        let mut fork_server = loaded::start(&files)?;
        let mut first = fork_server.spawn(Pages::Certain)?;
        first.wait_until_ready().map_err(|broken| format!("a process cannot be locked in: {broken:?}"))?;
        let server = Server { files, fork_server, warm_up, is_warm: false, mapped: None, guests: 1, code: Vec::new() };
        let (server, ready) = (Mutex::new(server), Mutex::new(vec![first]));
        Ok(Self { server, ready, wanted: Wanted::default(), initial: OnceLock::new(), host: std::process::id() })
    }

    /// Returns a process that is ready, or starts one.
    pub(super) fn take(&self) -> Result<Process, String> {
        self.check_owner()?;
        // Processes that are ready may be in another state.
        let ready = if self.initial.get().is_none() { self.take_ready() } else { None };
        ready.map_or_else(|| lock(&self.server).spawn(Pages::Certain), Ok)
    }

    /// Returns a process that is ready, in the state in which guests of the image start.
    pub(super) fn take_ready(&self) -> Option<Process> {
        if self.check_owner().is_err() {
            return None;
        }
        let mut ready = lock(&self.ready);
        ready.retain(|process| !process.handle.has_ended());
        ready.pop()
    }

    /// Has the processes that are ready start in a state, which is one of this engine.
    pub(super) fn start_in(&self, state: GuestState) {
        let _ = self.initial.set(state);
        // The first one has shown that the system permits processes.
        lock(&self.ready).clear();
    }

    /// Starts a process in memory that was copied from another one, over the memory with this digest.
    pub(super) fn restore(&self, memory: &Memory, base: &[u8; 32], limit: u64) -> Result<Process, RestoreError> {
        self.check_owner().map_err(RestoreError::Refused)?;
        let mut server = lock(&self.server);
        let own = server.base().map_err(RestoreError::Unreadable)?;
        if own != *base {
            return Err(RestoreError::OtherBase);
        }
        server.guests += 1;
        server.fork_server.restore(memory, limit).map_err(RestoreError::Refused)
    }

    /// The digest of the memory in which guests start.
    pub(super) fn base(&self) -> io::Result<[u8; 32]> {
        lock(&self.server).base()
    }

    /// Calls `work` with the memory in which guests start. Guests can be started meanwhile.
    pub(super) fn with_base<T>(&self, work: impl FnOnce(&Base) -> T) -> io::Result<T> {
        let base = {
            let mut server = lock(&self.server);
            let digest = server.base()?;
            Base::new(server.fork_server.number(), digest)?
        };
        let done = work(&base);
        let mut server = lock(&self.server);
        if let Some(mapped) = &mut server.mapped {
            mapped.was_read();
        }
        // Memory of a process that has ended is no memory of ours.
        if server.fork_server.number() != base.fork_server || server.fork_server.is_unusable() {
            return Err(io::Error::other("the process that starts guests has ended meanwhile"));
        }
        Ok(done)
    }

    /// Whether this process is the one that has made the pool, and no copy of it.
    pub(super) fn is_own(&self) -> bool {
        std::process::id() == self.host
    }

    fn check_owner(&self) -> Result<(), String> {
        if self.is_own() {
            return Ok(());
        }
        Err("this process is a copy of the one that started the fork server".into())
    }

    /// Starts a process for a later guest, if fewer wait than are worth it, and returns whether it did. To be called when no
    /// caller waits.
    pub(super) fn refill(&self) -> bool {
        let mut server = lock(&self.server);
        if lock(&self.ready).len() >= self.most_ready() || self.check_owner().is_err() {
            return false;
        }
        match server.spawn_in(self.initial.get()) {
            Ok(process) => lock(&self.ready).push(process),
            Err(reason) => {
                tracing::debug!(reason, "no process can be started in advance");
                return false;
            }
        }
        true
    }

    /// Has further guests use code in large pages, once there have been many. To be called when no caller waits.
    pub(super) fn use_large_pages(&self) {
        let (code, used, fork_server) = {
            let mut server = lock(&self.server);
            if server.guests < MANY || server.code.is_empty() || self.check_owner().is_err() {
                return;
            }
            // This is tried once, whether it works or not.
            (server.files.code(), mem::take(&mut server.code), server.fork_server.number())
        };
        let large = code.and_then(|code| LargeCode::copy(&code, &used)).map_err(|error| error.to_string());
        let done = large.and_then(|large| {
            let mut server = lock(&self.server);
            // Another fork server has taken its place, or will.
            if server.fork_server.number() != fork_server || server.fork_server.is_unusable() {
                return Ok(());
            }
            server.fork_server.map_code_from(&large.file, &large.parts)
        });
        if let Err(reason) = done {
            tracing::debug!(reason, "code is not in large pages");
        }
    }

    /// Starts processes until as many are ready as are worth it.
    pub(super) fn fill(&self) {
        while self.refill() {}
    }

    /// Starts processes on another thread, if the embedder wants some to be ready and too few are.
    pub(super) fn refill_in_advance(pool: &Arc<Self>) {
        Wanted::refill(pool, |pool| &pool.wanted, pool.ready(), Self::fill);
    }

    /// Ends processes that are ready in excess.
    pub(super) fn trim(&self) {
        let excess: Vec<_> = {
            let mut ready = lock(&self.ready);
            let most = self.most_ready().min(ready.len());
            ready.drain(most..).collect()
        };
        drop(excess);
    }

    /// Number of processes that are ready.
    pub(super) fn ready(&self) -> usize {
        lock(&self.ready).len()
    }

    fn most_ready(&self) -> usize {
        self.wanted.count().max(LIMIT)
    }
}

impl Server {
    /// Starts a process in a state, or as the image was built.
    fn spawn_in(&mut self, initial: Option<&GuestState>) -> Result<Process, String> {
        let Some(initial) = initial else {
            self.warm_up();
            if let Some(mapped) = &mut self.mapped {
                mapped.before_guest(&mut self.fork_server);
            }
            // Pages that a program may not need are for processors that have nothing else to do.
            return self.spawn(if processors::are_in_use() { Pages::Certain } else { Pages::Likely });
        };
        let saved = initial.saved::<SavedProcess>().ok_or("the state is of another engine")?;
        if self.base().map_err(|error| error.to_string())? != saved.base {
            return Err(OTHER_BASE.into());
        }
        // The limit of a guest is not known yet, and only ever lowers this one.
        self.fork_server.restore(&saved.memory, u64::MAX)
    }

    /// Starts a process. If the fork server has ended, another one takes its place.
    fn spawn(&mut self, pages: Pages) -> Result<Process, String> {
        self.ensure_usable()?;
        self.guests += 1;
        match self.fork_server.spawn(pages) {
            Err(_) if self.fork_server.is_unusable() => {
                self.ensure_usable()?;
                self.fork_server.spawn(pages)
            }
            spawned => spawned,
        }
    }

    /// The digest of the memory in which guests start, of a fork server that runs.
    fn base(&mut self) -> io::Result<[u8; 32]> {
        self.ensure_usable().map_err(io::Error::other)?;
        self.fork_server.base()
    }

    fn ensure_usable(&mut self) -> Result<(), String> {
        if self.fork_server.is_unusable() {
            tracing::debug!("the fork server has ended; another one is started");
            self.fork_server = loaded::start(&self.files)?;
            (self.is_warm, self.mapped, self.guests, self.code) = (false, None, 0, Vec::new());
        }
        Ok(())
    }

    /// Runs the warm-up in a process of its own, once, to know the pages that runs read and write to.
    fn warm_up(&mut self) {
        if mem::replace(&mut self.is_warm, true) {
            return;
        }
        if let Err(reason) = self.prefault_as_after_warm_up() {
            tracing::debug!(reason, "processes cannot copy pages in advance");
        }
    }

    fn prefault_as_after_warm_up(&mut self) -> Result<(), String> {
        let process = self.fork_server.spawn(Pages::Likely)?;
        let Touched { read: near, written } = self.after(process, &self.warm_up.message)?;
        self.code = near.iter().filter(|range| range.end <= REGION.start).cloned().collect();
        let process = self.fork_server.observe(&near)?;
        let Touched { read, written: always_written } = self.after(process, &self.warm_up.short)?;
        self.mapped = Some(Mapped::only(&mut self.fork_server, read)?);
        self.fork_server.set_pages(Pages::Certain, &always_written)?;
        self.fork_server.set_pages(Pages::Likely, &written)
    }

    /// Runs a program of the warm-up in a process, and returns the pages that the process has used.
    fn after(&self, mut process: Process, message: &[u8]) -> Result<Touched, String> {
        process.set_timeout(Some(WARM_UP_TIMEOUT));
        process
            .wait_until_ready()
            .and_then(|()| process.send(Kind::Run, &[&u64::MAX.to_le_bytes(), message].concat()))
            .and_then(|()| until_ended(&mut process, &(self.warm_up.host)(), None, &mut None))
            .map_err(|broken| format!("{broken:?}"))?;
        self.touched_by(process.handle.number()).map_err(|error| error.to_string())
    }

    /// The pages that a process has used.
    fn touched_by(&self, process: u32) -> io::Result<Touched> {
        let own = self.fork_server.number();
        let written = pages::find(process, &pages::accessible(own)?, Which::Written)?;
        Ok(Touched { read: pages::find(process, &pages::of_files(own)?, Which::OfFile)?, written })
    }
}
