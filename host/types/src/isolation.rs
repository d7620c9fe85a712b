//! The isolation that a caller requests, and the engine that the host selects for it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Error;

/// What isolates a guest from the machine. The default is [`Isolation::Auto`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Isolation {
    /// A micro-VM where this machine can run one, else a process of its own, else [`Isolation::Wasm`]. [`SelectedEngine`] has
    /// the choice and its reason.
    #[default]
    Auto,
    /// WebAssembly in this process.
    Wasm,
    /// WebAssembly in a process of its own that can do nothing but talk to this one, or an error. It needs Linux on x86-64.
    Process,
    /// A micro-VM, or an error. The host never falls back to a weaker isolation.
    MicroVm,
}

impl fmt::Display for Isolation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Auto => "auto",
            Self::Wasm => EngineName::Wasm.as_str(),
            Self::Process => EngineName::Process.as_str(),
            Self::MicroVm => EngineName::MicroVm.as_str(),
        })
    }
}

impl FromStr for Isolation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "auto" => Ok(Self::Auto),
            "wasm" => Ok(Self::Wasm),
            "process" => Ok(Self::Process),
            "microvm" => Ok(Self::MicroVm),
            _ => {
                Err(Error::invalid(format!("unknown isolation `{name}`"), "use `auto`, `wasm`, `process` or `microvm`"))
            }
        }
    }
}

/// An engine, named after its isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum EngineName {
    /// Wasmtime in this process.
    Wasm,
    /// Wasmtime in a process of its own.
    Process,
    /// Hyperlight micro-VMs.
    MicroVm,
}

impl EngineName {
    /// The name on the command line and in output: `wasm`, `process` or `microvm`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wasm => "wasm",
            Self::Process => "process",
            Self::MicroVm => "microvm",
        }
    }

    /// Whether the state of its guests can be saved, and its programs can be paused until a call of a deferred tool is answered.
    #[must_use]
    pub fn saves_states(self) -> bool {
        matches!(self, Self::Process | Self::MicroVm)
    }
}

impl From<EngineName> for Isolation {
    fn from(engine: EngineName) -> Self {
        match engine {
            EngineName::Wasm => Self::Wasm,
            EngineName::Process => Self::Process,
            EngineName::MicroVm => Self::MicroVm,
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The engine that runs the guests of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SelectedEngine {
    /// The engine.
    pub engine: EngineName,
    /// Why this engine was selected, in one sentence.
    pub reason: String,
}

impl SelectedEngine {
    /// Creates a selection of this engine for this reason.
    pub fn new(engine: EngineName, reason: impl Into<String>) -> Self {
        Self { engine, reason: reason.into() }
    }
}
