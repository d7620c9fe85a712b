//! Which engine runs a guest, and why that one.

use std::{fmt, str::FromStr};

use serde::Serialize;

use crate::Error;

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
    /// `wasm`.
    pub engine: &'static str,
    /// In a sentence.
    pub reason: String,
}

impl Isolation {
    pub(crate) fn choose(self) -> Result<Choice, Error> {
        match self {
            Self::Wasm => Ok(Choice { engine: "wasm", reason: "it was asked for".into() }),
            Self::Auto => {
                Ok(Choice { engine: "wasm", reason: "this version of Isolette has no micro-VM engine".into() })
            }
            Self::MicroVm => Err(Error::Unavailable {
                what: "isolation `microvm`".into(),
                reason: "this version of Isolette has no micro-VM engine".into(),
                hint: "use `wasm`, or `auto` to take the strongest isolation that there is".into(),
            }),
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
