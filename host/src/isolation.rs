//! Which engine runs a guest, and why that one.

use std::{fmt, str::FromStr, sync::Arc};

use serde::Serialize;

use crate::{
    Error,
    engine::Engine,
    image::{Image, load_hyperlight, load_wasmtime},
};

/// What stands between a guest and the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Isolation {
    /// A micro-VM where one can be had, else [`Isolation::Wasm`]. [`Sandbox::explain`](crate::Sandbox::explain) says
    /// which and why.
    #[default]
    Auto,
    /// WebAssembly in this process.
    Wasm,
    /// A micro-VM, or an error. Never anything less.
    MicroVm,
}

/// The engine that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// `wasm` or `microvm`.
    pub engine: &'static str,
    /// In a sentence.
    pub reason: String,
}

impl Isolation {
    /// Chooses an engine for an image and makes the image ready for it.
    pub(crate) fn choose(self, image: &Image) -> Result<(Choice, Arc<dyn Engine>), Error> {
        let asked = || "it was asked for".to_owned();
        let wasm = |reason| Ok((Choice { engine: "wasm", reason }, load_wasmtime(image)? as Arc<dyn Engine>));
        if self == Self::Wasm {
            return wasm(asked());
        }
        match (load_hyperlight(image)?, self) {
            (Ok(engine), Self::MicroVm) => Ok((Choice { engine: "microvm", reason: asked() }, engine)),
            (Ok(engine), _) => {
                Ok((Choice { engine: "microvm", reason: "this machine can run micro-VMs".into() }, engine))
            }
            (Err(missing), Self::MicroVm) => Err(Error::Unavailable {
                what: "isolation `microvm`".into(),
                reason: missing.reason,
                hint: missing.hint.into(),
            }),
            (Err(missing), _) => wasm(format!("there are no micro-VMs: {}", missing.reason)),
        }
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Auto => "auto",
            Self::Wasm => "wasm",
            Self::MicroVm => "microvm",
        })
    }
}

impl FromStr for Isolation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "auto" => Ok(Self::Auto),
            "wasm" => Ok(Self::Wasm),
            "microvm" => Ok(Self::MicroVm),
            _ => Err(Error::invalid(format!("unknown isolation `{name}`"), "use `auto`, `wasm` or `microvm`")),
        }
    }
}
