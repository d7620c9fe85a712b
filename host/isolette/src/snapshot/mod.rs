//! The saved state of a session.

mod file;
mod key;

use std::{
    fmt, fs,
    io::{Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use isolette_engine::{Engine, EngineError, GuestState};
use isolette_types::{EngineName, Error, Language};
use rustix::fs::OFlags;

pub(crate) use self::file::RUN_LIMIT;
use self::file::{Decoded, Description, FILE_LIMIT, encode, refused};
pub use self::key::SnapshotKey;
use crate::{shared::Shared, system::SystemState};

/// The state of a session at one moment: globals, modules and the files in `/tmp`. Sessions that continue from it
/// ([`Sandbox::session_from`](crate::Sandbox::session_from), [`Session::restore`](crate::Session::restore)) do not
/// affect each other.
///
/// It contains no rights. Policy, mounts, tools and budgets are those of the sandbox whose session continues from it; what
/// is not granted there fails as denied. Files on mounts, `/output` included, are not part of it. Random numbers and
/// identifiers of runs are new in each session, except those of generators that a program made itself, such as
/// `random.Random()`.
///
/// A snapshot can be kept as a file ([`Snapshot::save`]) and be loaded by another process ([`Snapshot::load`]) with the same
/// image, isolation and kind of processor. The file contains everything that the session had in memory, unencrypted.
///
/// Clones share the memory.
#[derive(Clone)]
pub struct Snapshot(Arc<Saved>);

struct Saved {
    description: Description,
    /// The host's side of a run, if the program is paused.
    run: Option<Vec<u8>>,
    content: Content,
}

enum Content {
    /// The state of a session in this process.
    Live { state: GuestState, engine: Arc<dyn Engine> },
    /// The contents of a file.
    Loaded {
        file: Decoded,
        /// Whether the file was saved with the key.
        is_trusted: bool,
        /// The state, once a sandbox has read it.
        state: Mutex<Option<GuestState>>,
    },
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Snapshot").field("description", &self.0.description).finish_non_exhaustive()
    }
}

impl Snapshot {
    /// The state of a session.
    pub(crate) fn new(shared: &Shared, state: GuestState, system: SystemState) -> Self {
        Self::with(shared, state, system, None)
    }

    /// The state of a paused program, with the host's side of its run.
    pub(crate) fn of_run(shared: &Shared, state: GuestState, system: SystemState, run: Vec<u8>) -> Self {
        Self::with(shared, state, system, Some(run))
    }

    fn with(shared: &Shared, state: GuestState, system: SystemState, run: Option<Vec<u8>>) -> Self {
        let description = Description {
            image: shared.image.digest().to_owned(),
            abi: isolette_abi::VERSION,
            isolation: shared.selected.engine,
            language: shared.language,
            processor: std::env::consts::ARCH.to_owned(),
            bytes: state.bytes(),
            run_bytes: run.as_ref().map(|run| run.len() as u64),
            system,
        };
        let content = Content::Live { state, engine: Arc::clone(&shared.engine) };
        Self(Arc::new(Saved { description, run, content }))
    }

    /// The number of bytes that the snapshot keeps in memory. With isolation `process`, that is what the session has
    /// changed since its start; with `microvm`, all memory that its guest can have. A file has fewer.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.description.bytes
    }

    /// The isolation of the session. Only sandboxes with the same one continue from the snapshot.
    #[must_use]
    pub fn isolation(&self) -> EngineName {
        self.0.description.isolation
    }

    /// The language of the session.
    #[must_use]
    pub fn language(&self) -> Language {
        self.0.description.language
    }

    /// The SHA-256 digest, in hexadecimal digits, of the image of the session
    /// ([`Image::digest`](isolette_engine::Image::digest)).
    #[must_use]
    pub fn image(&self) -> &str {
        &self.0.description.image
    }

    /// Saves the snapshot as a file, with the key of the present user ([`SnapshotKey::of_user`]). A file that exists is
    /// replaced as a whole. Only this user can read the new one.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written; [`Error::Unavailable`] if the state cannot be read any more.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_with(path, &SnapshotKey::of_user()?)
    }

    /// Saves the snapshot as a file, with a key of the caller's.
    ///
    /// # Errors
    /// The errors of [`Snapshot::save`].
    pub fn save_with(&self, path: impl AsRef<Path>, key: &SnapshotKey) -> Result<(), Error> {
        let path = path.as_ref();
        let bytes = self.to_bytes(key)?;
        let failed = |error| Error::io(format!("cannot save the snapshot `{}`", path.display()), error);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let write = || {
            let mut file = tempfile::Builder::new().prefix(".snapshot-").tempfile_in(folder)?;
            file.write_all(&bytes)?;
            file.as_file().sync_all()?;
            file.persist(path).map_err(|error| error.error)
        };
        write().map(drop).map_err(failed)
    }

    /// Returns the bytes of the file that [`Snapshot::save_with`] writes.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the state cannot be read any more; [`Error::InvalidArgument`] if its origin is not known
    /// ([`Snapshot::load_untrusted`]): the key would vouch for it. The snapshot of a session that has continued from it can be
    /// saved.
    pub fn to_bytes(&self, key: &SnapshotKey) -> Result<Vec<u8>, Error> {
        if matches!(self.0.content, Content::Loaded { is_trusted: false, .. }) {
            return Err(Error::invalid(
                "the snapshot cannot be saved: its origin is not known, and the key would vouch for it",
                "copy the file, or save the snapshot of a session that continues from it",
            ));
        }
        encode(&self.0.description, self.0.run.as_deref(), key, |out| match &self.0.content {
            Content::Live { state, engine } => engine.export(state, out).map_err(|missing| Error::Unavailable {
                what: "a file of the snapshot".into(),
                reason: missing.reason,
                hint: missing.hint.into(),
            }),
            Content::Loaded { file, .. } => std::io::copy(&mut file.state(), &mut { out })
                .map(drop)
                .map_err(|error| refused(&error.to_string(), "save it again from the session")),
        })
    }

    /// Loads a snapshot that the present user has saved.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read; [`Error::InvalidArgument`] if it is not a snapshot, was changed, is of another
    /// version, or was saved by another user.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let bytes = read(path.as_ref())?;
        Self::from_bytes(bytes, &SnapshotKey::of_user()?)
    }

    /// Loads a snapshot that was saved with a key of the caller's.
    ///
    /// # Errors
    /// The errors of [`Snapshot::load`].
    pub fn load_with(path: impl AsRef<Path>, key: &SnapshotKey) -> Result<Self, Error> {
        Self::from_bytes(read(path.as_ref())?, key)
    }

    /// Makes a snapshot of the bytes of a file that was saved with this key.
    ///
    /// # Errors
    /// The errors of [`Snapshot::load`].
    pub fn from_bytes(bytes: Vec<u8>, key: &SnapshotKey) -> Result<Self, Error> {
        Self::of_session(Decoded::new(bytes, Some(key))?, true)
    }

    /// Loads a snapshot of unknown origin. Sessions that continue from it run code of the author of the file: not only in the
    /// interpreter, but as machine code beneath it. They are still in a process that can do nothing but talk to the host, with
    /// the rights of the sandbox. Snapshots of micro-VMs are not loaded like this.
    ///
    /// # Errors
    /// The errors of [`Snapshot::load`], except that a changed file is not recognized.
    pub fn load_untrusted(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::of_session(Decoded::new(read(path.as_ref())?, None)?, false)
    }

    fn of_session(file: Decoded, is_trusted: bool) -> Result<Self, Error> {
        if file.description.run_bytes.is_some() {
            return Err(refused(
                "it is of a paused program",
                "load it with `SavedRun::load`; on the command line with `isolette resume`",
            ));
        }
        Ok(Self::loaded(file, None, is_trusted))
    }

    /// Loads the file of a paused program.
    pub(crate) fn load_run(path: &Path, key: &SnapshotKey) -> Result<Self, Error> {
        Self::run_from_bytes(read(path)?, key)
    }

    /// Makes the snapshot of a paused program of the bytes of its file.
    pub(crate) fn run_from_bytes(bytes: Vec<u8>, key: &SnapshotKey) -> Result<Self, Error> {
        let file = Decoded::new(bytes, Some(key))?;
        let Some(run) = file.run()? else {
            return Err(refused("it is of a session, and no paused program", "load it with `Snapshot::load`"));
        };
        Ok(Self::loaded(file, Some(run), true))
    }

    fn loaded(file: Decoded, run: Option<Vec<u8>>, is_trusted: bool) -> Self {
        let description = file.description.clone();
        let content = Content::Loaded { file, is_trusted, state: Mutex::default() };
        Self(Arc::new(Saved { description, run, content }))
    }

    /// The host's side of the run, if the program is paused.
    pub(crate) fn run(&self) -> Option<&[u8]> {
        self.0.run.as_deref()
    }

    /// The state, for guests of a sandbox, if they can continue from it.
    pub(crate) fn state(&self, shared: &Shared) -> Result<GuestState, Error> {
        self.check(shared)?;
        let (file, is_trusted, kept) = match &self.0.content {
            Content::Live { state, .. } => return Ok(state.clone()),
            Content::Loaded { file, is_trusted, state } => (file, *is_trusted, state),
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = &*kept {
            return Ok(state.clone());
        }
        let imported = shared.engine.import(&mut file.state(), shared.policy.limits.memory, is_trusted);
        let state = imported.map_err(|error| {
            let reason = match error {
                EngineError::NotRestored(reason) => reason,
                other => format!("{other:?}"),
            };
            refused(&reason, "load it where it was saved, or save it again")
        })?;
        Ok(kept.insert(state).clone())
    }

    pub(crate) fn system(&self) -> &SystemState {
        &self.0.description.system
    }

    /// Checks that guests of a sandbox can continue from the snapshot.
    fn check(&self, shared: &Shared) -> Result<(), Error> {
        let own = &self.0.description;
        let (image, isolation) = (shared.image.digest(), shared.selected.engine);
        let processor = std::env::consts::ARCH;
        let mismatch = |what: &str, own: &str, other: &str| {
            Err(Error::invalid(
                format!("the snapshot has the {what} {own}, and the sandbox has {other}"),
                "continue from it in a sandbox with the same image and isolation, on the same kind of processor",
            ))
        };
        if own.image != image {
            return mismatch("image", &own.image, image);
        }
        if own.isolation != isolation {
            return mismatch("isolation", own.isolation.as_str(), isolation.as_str());
        }
        if own.abi != isolette_abi::VERSION {
            return mismatch("ABI", &own.abi.to_string(), &isolette_abi::VERSION.to_string());
        }
        if own.processor != processor {
            return mismatch("processor", &own.processor, processor);
        }
        Ok(())
    }
}

/// Reads a file of limited length, and no more than its beginning if that is not the beginning of a snapshot.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::io(format!("cannot load the snapshot `{}`", path.display()), error);
    let other = |what: &str| refused(what, "name a file that was saved as a snapshot");
    // A pipe to which nobody writes would hold back the caller.
    let file = fs::File::options()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(other("it is not a file"));
    }
    if metadata.len() > FILE_LIMIT {
        return Err(other("it is longer than any snapshot"));
    }
    let mut bytes = Vec::new();
    (&file).take(file::HEAD as u64).read_to_end(&mut bytes).map_err(failed)?;
    file::check_head(&bytes)?;
    file.take(FILE_LIMIT - bytes.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
