//! Warm images: their guests start in the state after a set-up program, instead of that in which an image was built.
//!
//! Such an image has the files of the image that it was made from, and a file with the state for each engine that saves states
//! (an LZ4 frame of what the engine exports). A state is trusted like the code beside it.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{BufReader, BufWriter, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use serde_json::Value;

use super::{
    Image, digest_file,
    manifest::{self, FileDigest, Warm, WarmState},
};
use crate::{Engine, EngineError, GuestState};
use isolette_types::{EngineName, Error};

/// The most bytes of memory of a guest, which is that of a WebAssembly memory.
const MEMORY_LIMIT: u64 = 4 << 30;

/// The state of a guest, with the engine that has saved it.
#[derive(Clone, Copy, Debug)]
pub struct EngineState<'a> {
    /// The name of the engine.
    pub name: EngineName,
    /// The engine.
    pub engine: &'a dyn Engine,
    /// The state.
    pub state: &'a GuestState,
    /// The data of the host for the state.
    pub host: &'a Value,
}

/// The error with the remedy for an image that was made of another one.
pub(super) fn made_anew(error: Error) -> Error {
    match error {
        Error::Image { path, reason, .. } => {
            let hint = "make it again with `isolette image warm --replace`, from an image of this version";
            Error::Image { path, reason, hint: hint.into() }
        }
        other => other,
    }
}

/// Has guests of an engine start in the state that the image has for it, if there is one.
pub(super) fn started<E: Engine>(
    image: &Image,
    name: EngineName,
    engine: E,
    start_in: impl FnOnce(E, GuestState) -> E,
) -> Result<E, Error> {
    match state(image, name, &engine)? {
        Some(state) => Ok(start_in(engine, state)),
        None => Ok(engine),
    }
}

/// Reads the state in which guests of an image start in an engine, if the image has states.
fn state(image: &Image, name: EngineName, engine: &dyn Engine) -> Result<Option<GuestState>, Error> {
    let warm = image.manifest.warm.as_ref().and_then(|warm| warm.states.get(name.as_str()));
    let Some(WarmState { file, .. }) = warm else { return Ok(None) };
    image.check_file(file)?;
    let unusable = |reason: String| Error::Image {
        path: image.directory.clone(),
        reason: format!("its state `{file}` cannot be used: {reason}"),
        hint: "make the image again on this machine with `isolette image warm`".into(),
    };
    let opened = File::open(image.directory.join(file)).map_err(|error| unusable(error.to_string()))?;
    let mut decoder = FrameDecoder::new(BufReader::new(opened));
    match engine.import(&mut decoder, MEMORY_LIMIT, true) {
        Ok(state) => Ok(Some(state)),
        Err(EngineError::NotRestored(reason)) => Err(unusable(reason)),
        Err(other) => Err(unusable(format!("{other:?}"))),
    }
}

impl Image {
    /// Makes an image whose guests start in states that guests of this one have saved. `set_up` is the SHA-256 of the program
    /// that led to them (lower-case hex). The directory must not exist; it appears as a whole.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the directory exists; [`Error::Unavailable`] if a state cannot be written;
    /// [`Error::Io`]; [`Error::Image`] if a file of this image is not as its manifest says.
    pub fn save_warm(
        &self,
        directory: &Path,
        name: &str,
        set_up: &str,
        states: &[EngineState<'_>],
    ) -> Result<Self, Error> {
        let exists = || {
            let message = format!("there is something in `{}` already", directory.display());
            Error::invalid(message, "remove it, or name another directory")
        };
        if directory.symlink_metadata().is_ok() {
            return Err(exists());
        }
        let failed = |error| Error::io(format!("cannot make the image in `{}`", directory.display()), error);
        let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(failed)?;
        let folder = tempfile::Builder::new().prefix(".image-").tempdir_in(parent).map_err(failed)?;
        let mut manifest = self.manifest.clone();
        name.clone_into(&mut manifest.name);
        manifest.compiled.retain(|engine, _| states.iter().any(|state| state.name.as_str() == engine));
        manifest.files.clear();
        let code = manifest.compiled.values().flat_map(|code| [Some(&code.file), code.runtime.as_ref()]);
        for file in code.flatten().chain([&manifest.component]) {
            fs::copy(self.directory.join(file), folder.path().join(file)).map_err(failed)?;
            let digest = self.manifest.files.get(file).cloned();
            manifest.files.insert(file.clone(), digest.unwrap_or(FileDigest { sha256: String::new(), size: 0 }));
        }
        let mut files = BTreeMap::new();
        for state in states {
            let file = format!("{}.state", state.name);
            let digest = write(state, &folder.path().join(&file), failed)?;
            manifest.files.insert(file.clone(), digest);
            files.insert(state.name.to_string(), WarmState { file, host: state.host.clone() });
        }
        manifest.warm = Some(Warm { set_up: set_up.to_owned(), states: files });
        let bytes = manifest.to_bytes().map_err(|error| Self::unusable(&self.directory, error.to_string()))?;
        fs::write(folder.path().join(manifest::FILE_NAME), bytes).map_err(failed)?;
        Self::open(folder.path())?.verify()?;
        // Temporary folders are for this user alone; the states in it stay so.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).map_err(failed)?;
        fs::rename(folder.path(), directory).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists | std::io::ErrorKind::DirectoryNotEmpty => exists(),
            _ => failed(error),
        })?;
        // The folder that it would remove is in its final place now.
        let _ = folder.keep();
        Self::open(directory)
    }
}

/// Writes a state to a new file that only this user can read: it has everything that the guest had in memory.
fn write(state: &EngineState<'_>, path: &Path, failed: impl Fn(std::io::Error) -> Error) -> Result<FileDigest, Error> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(&failed)?;
    let mut encoder = FrameEncoder::new(BufWriter::new(file));
    state.engine.export(state.state, &mut encoder).map_err(|missing| Error::Unavailable {
        what: format!("the state for the isolation `{}`", state.name),
        reason: missing.reason,
        hint: missing.hint.into(),
    })?;
    let mut written = encoder.finish().map_err(|error| failed(error.into()))?;
    written.flush().map_err(&failed)?;
    let (size, sha256) = digest_file(path).map_err(&failed)?;
    Ok(FileDigest { sha256, size })
}
