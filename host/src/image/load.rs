//! Loading an image into an engine, once a process.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::Image;
use crate::{Error, engine::wasmtime::WasmtimeImage};

/// Loaded images by file and digest: a file that was replaced since is another image.
type Loaded = HashMap<(PathBuf, String), Arc<WasmtimeImage>>;

/// Maps the image's code for Wasmtime, after comparing it with the manifest.
pub(crate) fn load_wasmtime(image: &Image) -> Result<Arc<WasmtimeImage>, Error> {
    static LOADED: OnceLock<Mutex<Loaded>> = OnceLock::new();
    let compiled = image
        .manifest
        .compiled
        .get("wasmtime")
        .ok_or_else(|| Image::unusable(&image.directory, "it has no code for the engine `wasmtime`".into()))?;
    let digest = image.manifest.files.get(&compiled.file).ok_or_else(|| {
        Image::unusable(&image.directory, format!("its manifest lists no digest for `{}`", compiled.file))
    })?;
    let host = std::env::consts::ARCH;
    if !compiled.target.starts_with(host) {
        let reason = format!("its code was compiled for `{}`, this machine is `{host}`", compiled.target);
        return Err(Image::unusable(&image.directory, reason));
    }
    let path = image.directory.join(&compiled.file);
    let mut loaded = LOADED.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let key = (path.canonicalize().unwrap_or_else(|_| path.clone()), digest.sha256.clone());
    if let Some(engine) = loaded.get(&key) {
        return Ok(Arc::clone(engine));
    }
    tracing::debug_span!("digest").in_scope(|| image.check(&compiled.file, digest))?;
    let engine = tracing::debug_span!("map").in_scope(|| WasmtimeImage::load(&path)).map_err(|reason| {
        let reason = format!("{reason} (the manifest says Wasmtime {})", compiled.version);
        Image::unusable(&image.directory, reason)
    })?;
    let engine = Arc::new(engine);
    loaded.insert(key, Arc::clone(&engine));
    Ok(engine)
}
