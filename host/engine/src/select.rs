//! Selects the engine that runs a guest, and records the reason.

use std::sync::Arc;

use isolette_types::{EngineName, Error, Isolation, Language, SelectedEngine};

use crate::{
    Engine, Image, Missing, WarmUp,
    image::{load_hyperlight, load_process, load_wasmtime},
};

/// Selects an engine for an image, and loads the image into it. `warm_up` is the run that the engine may prefault from.
///
/// # Errors
/// [`Error::Unavailable`] if a named isolation is not available; [`Error::Image`] if the image cannot be loaded.
pub fn select(
    isolation: Isolation,
    image: &Image,
    warm_up: impl Fn(Language) -> WarmUp,
) -> Result<(SelectedEngine, Arc<dyn Engine>), Error> {
    let selected = |name, reason: &str, engine: Arc<dyn Engine>| Ok((SelectedEngine::new(name, reason), engine));
    let wasm = |reason: &str| selected(EngineName::Wasm, reason, load_wasmtime(image)?);
    let unavailable = |missing: Missing| Error::Unavailable {
        what: format!("isolation `{isolation}`"),
        reason: missing.reason,
        hint: missing.hint.into(),
    };
    match isolation {
        Isolation::Wasm => return wasm(REQUESTED),
        Isolation::MicroVm => {
            let engine = load_hyperlight(image, &warm_up)?.map_err(unavailable)?;
            return selected(EngineName::MicroVm, REQUESTED, engine);
        }
        Isolation::Process => {
            return selected(EngineName::Process, REQUESTED, load_process(image, &warm_up)?.map_err(unavailable)?);
        }
        _ => {}
    }
    let no_micro_vms = match load_hyperlight(image, &warm_up)? {
        Ok(engine) => return selected(EngineName::MicroVm, "this machine can run micro-VMs", engine),
        Err(missing) => format!("there are no micro-VMs: {}", missing.reason),
    };
    match load_process(image, &warm_up)? {
        Ok(engine) => selected(EngineName::Process, &no_micro_vms, engine),
        Err(missing) if image.manifest().warm.is_some() => Err(Error::Unavailable {
            what: format!("the image in {}, whose guests start in a saved state", image.directory().display()),
            reason: format!("{no_micro_vms}; and no processes: {}", missing.reason),
            hint: missing.hint.into(),
        }),
        Err(missing) => wasm(&format!("{no_micro_vms}; and no processes: {}", missing.reason)),
    }
}

const REQUESTED: &str = "it was asked for";
