//! Selects the engine that runs a guest, and records the reason.

use std::sync::Arc;

use isolette_types::{EngineName, Error, Isolation, Language, SelectedEngine};

use crate::{
    Engine, Image, WarmUp,
    image::{load_hyperlight, load_wasmtime},
};

/// Selects an engine for an image, and loads the image into it. `warm_up` is the run that the engine may prefault from.
///
/// # Errors
/// [`Error::Unavailable`] if a named isolation is not available; [`Error::Image`] if the image cannot be loaded.
pub fn select(
    isolation: Isolation,
    image: &Image,
    warm_up: impl FnOnce(Language) -> WarmUp,
) -> Result<(SelectedEngine, Arc<dyn Engine>), Error> {
    let wasm =
        |reason: String| Ok((SelectedEngine::new(EngineName::Wasm, reason), load_wasmtime(image)? as Arc<dyn Engine>));
    if isolation == Isolation::Wasm {
        return wasm(REQUESTED.into());
    }
    match (load_hyperlight(image, warm_up)?, isolation) {
        (Ok(engine), Isolation::MicroVm) => Ok((SelectedEngine::new(EngineName::MicroVm, REQUESTED), engine)),
        (Ok(engine), _) => Ok((SelectedEngine::new(EngineName::MicroVm, "this machine can run micro-VMs"), engine)),
        (Err(missing), Isolation::MicroVm) => Err(Error::Unavailable {
            what: "isolation `microvm`".into(),
            reason: missing.reason,
            hint: missing.hint.into(),
        }),
        (Err(missing), _) => wasm(format!("there are no micro-VMs: {}", missing.reason)),
    }
}

const REQUESTED: &str = "it was asked for";
