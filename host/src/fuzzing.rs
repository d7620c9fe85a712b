//! What only fuzzers call (`fuzz/`): ways to parts that are no interface of this crate. Each panics on what must never be.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use isolette_abi::files::Call;
use serde_json::Value;

use crate::{
    Error, Tool,
    broker::trial::Trial,
    capability::files::{Files, Locks, Quota},
    policy::{Access, Limits, Mount},
    values::assert_measured,
};

/// Has a broker answer these messages until it ends the guest.
pub fn waist<'a>(messages: impl IntoIterator<Item = &'a [u8]>) {
    let mut trial = Trial::new();
    for message in messages {
        if trial.call(message).is_err() {
            break;
        }
    }
    trial.assert_sound();
}

/// Measures a text, which may be JSON, and the values that it becomes.
pub fn values(text: &[u8]) {
    assert_measured(text);
}

/// The arguments of a call if they fit the tool's schema, else what is said about them.
///
/// # Errors
/// What is said.
pub fn tool_arguments(tool: &Tool, arguments: &[u8]) -> Result<Value, String> {
    tool.check(arguments).map_err(|error| format!("{error:?}"))
}

/// One directory as a guest sees it.
#[derive(Debug)]
pub struct Directory {
    files: Files,
    quota: Mutex<Quota>,
    locks: Locks,
}

impl Directory {
    /// What there is below the guest's path.
    ///
    /// # Errors
    /// The directory cannot be opened.
    pub fn new(host: &Path, guest: &str, limits: Limits) -> Result<Self, Error> {
        let mount = Mount::new(host, guest, Access::ReadWrite)?;
        let quota = Mutex::new(Quota::new(Arc::new(limits)));
        Ok(Self { files: Files::new(&[mount])?, quota, locks: Locks::default() })
    }

    /// The encoded reply to a call of the guest's.
    pub fn answer(&self, call: &Call<'_>) -> Vec<u8> {
        let mut quota = self.quota.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.files.answer(call, &mut quota, &self.locks)
    }
}
