//! Loads an image into an engine, once per process.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{Image, manifest::Compiled, warm};
use crate::{Missing, WarmUp, hyperlight, hyperlight::HyperlightImage, process::ProcessImage, wasmtime::WasmtimeImage};
use isolette_types::{EngineName, Error, Language};

/// Loaded images by path and digests: a file that was replaced since is another image.
type Loaded<T> = OnceLock<Mutex<HashMap<(PathBuf, String), Arc<T>>>>;

/// Compares the image's code with the manifest and maps it for Wasmtime.
///
/// # Errors
/// [`Error::Image`] if the image has no code for this engine, or if the code differs from the manifest.
pub fn load_wasmtime(image: &Image) -> Result<Arc<WasmtimeImage>, Error> {
    static LOADED: Loaded<WasmtimeImage> = OnceLock::new();
    if image.manifest.warm.is_some() {
        return Err(Error::Unavailable {
            what: "isolation `wasm`".into(),
            reason: format!("guests of the image in {} start in a saved state", image.directory.display()),
            hint: "use the isolation `process` or `microvm`, or the image that it was made from".into(),
        });
    }
    let compiled = image
        .manifest
        .compiled
        .get("wasmtime")
        .ok_or_else(|| Image::unusable(&image.directory, "it has no code for the engine `wasmtime`".into()))?;
    check_target(image, compiled)?;
    once(&LOADED, image, compiled, |path, _| {
        image.check_file(&compiled.file)?;
        tracing::debug_span!("map").in_scope(|| WasmtimeImage::load(&path)).map_err(|reason| {
            let reason = format!("{reason} (the manifest says Wasmtime {})", compiled.version);
            Image::unusable(&image.directory, reason)
        })
    })
}

/// Probes whether micro-VMs are available, and if so compares the image's code with the manifest and prepares it for
/// them.
///
/// # Errors
/// [`Error::Image`] if a file differs from the manifest. Unavailability is not an error, but [`Missing`].
pub fn load_hyperlight(
    image: &Image,
    warm_up: impl FnOnce(Language) -> WarmUp,
) -> Result<Result<Arc<HyperlightImage>, Missing>, Error> {
    static LOADED: Loaded<HyperlightImage> = OnceLock::new();
    let (compiled, runtime) = match outside(image, "microvm") {
        Ok(found) => found,
        Err(missing) => return Ok(Err(missing)),
    };
    // The runtime is about to be run, so it is compared even if the code has been loaded before.
    let path = image.directory.join(runtime);
    let runtime_digest = image.check_file(runtime)?;
    let proof = match hyperlight::probe(&path) {
        Ok(proof) => proof,
        Err(missing) => return Ok(Err(missing)),
    };
    check_target(image, compiled)?;
    once(&LOADED, image, compiled, |code, digest| {
        image.check_file(&compiled.file)?;
        let (code, runtime) = ((&*code, digest), (&*path, &*runtime_digest));
        warm::started(
            image,
            EngineName::MicroVm,
            HyperlightImage::new(proof, code, runtime, warm_up(image.language())),
            HyperlightImage::start_in,
        )
    })
    .map(Ok)
}

/// Compares the image's code and runtime with the manifest, and starts a process that loads the code.
///
/// # Errors
/// [`Error::Image`] if a file differs from the manifest. Unavailability is not an error, but [`Missing`].
pub fn load_process(
    image: &Image,
    warm_up: impl FnOnce(Language) -> WarmUp,
) -> Result<Result<Arc<ProcessImage>, Missing>, Error> {
    static LOADED: Loaded<ProcessImage> = OnceLock::new();
    let (compiled, runtime) = match outside(image, "process") {
        Ok(found) => found,
        Err(missing) => return Ok(Err(missing)),
    };
    check_target(image, compiled)?;
    // An engine that is missing now may be available later, so the failure is not kept.
    let mut missing = None;
    let loaded = once(&LOADED, image, compiled, |code, digest| {
        image.check_file(&compiled.file)?;
        let runtime_digest = image.check_file(runtime)?;
        let (code, runtime) = ((&*code, digest), (&*image.directory.join(runtime), &*runtime_digest));
        let warm_up = warm_up(image.language());
        let started = tracing::debug_span!("probe").in_scope(|| ProcessImage::new(code, runtime, warm_up));
        let engine = started.map_err(|reason| {
            let error = Image::unusable(&image.directory, reason.reason.clone());
            missing = Some(reason);
            error
        })?;
        warm::started(image, EngineName::Process, engine, ProcessImage::start_in)
    });
    match missing {
        Some(missing) => Ok(Err(missing)),
        None => loaded.map(Ok),
    }
}

/// The code for an engine outside of the host's process, and the file name of the runtime that runs it.
fn outside<'a>(image: &'a Image, engine: &str) -> Result<(&'a Compiled, &'a str), Missing> {
    if let Some(warm) = &image.manifest.warm
        && !warm.states.contains_key(engine)
    {
        return Err(Missing {
            reason: format!("the image in {} has no state for it", image.directory.display()),
            hint: "make it again on this machine with `isolette image warm`",
        });
    }
    let found = image.manifest.compiled.get(engine).and_then(|code| Some((code, code.runtime.as_deref()?)));
    found.ok_or_else(|| Missing {
        reason: format!("the image in {} has no code for it", image.directory.display()),
        hint: "build the image again on Linux on x86-64 with `cargo xtask image build`, or use `wasm`",
    })
}

fn check_target(image: &Image, compiled: &Compiled) -> Result<(), Error> {
    let host = std::env::consts::ARCH;
    if compiled.target.starts_with(host) {
        return Ok(());
    }
    let reason = format!("its code was compiled for `{}`, this machine is `{host}`", compiled.target);
    Err(Image::unusable(&image.directory, reason))
}

/// Loads code that was not loaded before. Code that was loaded is not read again.
fn once<T>(
    loaded: &Loaded<T>,
    image: &Image,
    compiled: &Compiled,
    load: impl FnOnce(PathBuf, &str) -> Result<T, Error>,
) -> Result<Arc<T>, Error> {
    let path = image.directory.join(&compiled.file);
    let digest = |file| image.manifest.files.get(file).map_or("", |digest| &*digest.sha256);
    let code = digest(&compiled.file);
    let states = image.manifest.warm.iter().flat_map(|warm| warm.states.values());
    let digests = states.map(|state| digest(&state.file)).fold(code.to_owned(), |digests, state| digests + state);
    let mut loaded = loaded.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let key = (path.canonicalize().unwrap_or_else(|_| path.clone()), digests);
    if let Some(engine) = loaded.get(&key) {
        return Ok(Arc::clone(engine));
    }
    // An image that was replaced, and that no sandbox uses any more.
    loaded.retain(|(other, _), engine| *other != key.0 || Arc::strong_count(engine) > 1);
    let engine = Arc::new(load(path, code)?);
    loaded.insert(key, Arc::clone(&engine));
    Ok(engine)
}
