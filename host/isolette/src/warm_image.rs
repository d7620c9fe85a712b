//! Images whose guests start in the state after a set-up program.

use std::{path::Path, sync::Arc};

use isolette_engine::{Engine, GuestState, Image, image::EngineState};
use isolette_types::{EngineName, Error, ExecutionResult, Language};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{options::RunOptions, sandbox::Sandbox};

/// The most bytes of a name.
const NAME_LIMIT: usize = 64;

/// Makes an image from another one and a set-up program. Guests of it start in the state after this program: modules are
/// imported, data is loaded, functions are defined, and every run begins where the set-up has ended.
///
/// ```no_run
/// use isolette::{Isolation, RunOptions, Sandbox, WarmImage};
///
/// let mut image = WarmImage::new("reports", "import json, statistics\ndef mean(rows): return statistics.mean(rows)")?;
/// let sandbox = Sandbox::builder().isolation(Isolation::Process).build()?;
/// image.set_up(&sandbox, RunOptions::new())?;
/// image.save("images/reports")?;
///
/// let sandbox = Sandbox::builder().image("images/reports").build()?;
/// assert_eq!(sandbox.run("mean([1, 2, 3])")?.value, Some(2.into()));
/// # Ok::<(), isolette::Error>(())
/// ```
///
/// The program runs with the rights of its sandbox; the image has none of them. What it read from mounts into its memory is in
/// the image, unencrypted, in a file that only this user can read. Random numbers and identifiers of runs are new in each run;
/// a generator that the program seeded itself continues the same in each.
///
/// An image has a state for each isolation in which the program was run, and its guests start in these only, on the same kind of
/// processor. With `microvm`, guests have at most the memory that the sandbox of the set-up allowed.
#[derive(Debug)]
pub struct WarmImage {
    name: String,
    code: String,
    /// The image that it is made from, once the program has run.
    base: Option<Image>,
    states: Vec<State>,
}

#[derive(Debug)]
struct State {
    isolation: EngineName,
    engine: Arc<dyn Engine>,
    state: GuestState,
    /// How far clocks and random numbers have come.
    system: Value,
}

impl WarmImage {
    /// Begins an image. `code` is the set-up program, in the language of the image that it will be made from.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the name is not 1 to 64 lower-case letters, digits, `-`, `_` and `.` with a letter or digit at
    /// the start, or is that of a language.
    pub fn new(name: impl Into<String>, code: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let first = name.as_bytes().first().is_some_and(is_plain);
        let rest = name.bytes().all(|byte| is_plain(&byte) || matches!(byte, b'-' | b'_' | b'.'));
        if !(first && rest) || name.len() > NAME_LIMIT || name.parse::<Language>().is_ok() {
            return Err(Error::invalid(
                format!("an image cannot have the name `{}`", name.escape_debug()),
                format!(
                    "use 1 to {NAME_LIMIT} lower-case letters, digits, `-`, `_` and `.`, and not the name of a language"
                ),
            ));
        }
        Ok(Self { name, code: code.into(), base: None, states: Vec::new() })
    }

    /// Runs the set-up program in a sandbox and keeps the state after it, for the isolation of this sandbox. If the program fails
    /// ([`ExecutionResult::success`]), no state is kept. May be called once for each isolation.
    ///
    /// # Errors
    /// As of [`Sandbox::run`]; [`Error::Unavailable`] if the isolation does not save states (`wasm`), or if the program holds
    /// resources of custom interfaces or locks on files; [`Error::InvalidArgument`] if there is a state for the isolation already,
    /// or if the sandbox has another image than that of an earlier call.
    pub fn set_up(&mut self, sandbox: &Sandbox, options: RunOptions) -> Result<ExecutionResult, Error> {
        let shared = &sandbox.shared;
        let isolation = shared.selected.engine;
        if self.states.iter().any(|state| state.isolation == isolation) {
            return Err(Error::invalid(
                format!("there is a state for the isolation `{isolation}` already"),
                "run the set-up program once for each isolation",
            ));
        }
        if let Some(base) = &self.base
            && base.manifest() != shared.image.manifest()
        {
            return Err(Error::invalid(
                "the set-up program was run in another image before",
                "use the same image in each sandbox",
            ));
        }
        if !isolation.saves_states() {
            return Err(Error::Unavailable {
                what: "a warm image".into(),
                reason: format!("the isolation `{isolation}` does not save states"),
                hint: "use the isolation `process` or `microvm`".into(),
            });
        }
        let mut session = sandbox.session()?;
        let result = session.set_up(&self.code, options)?;
        if result.success() {
            let state = session.saved()?;
            let system = serde_json::to_value(session.system_state())
                .map_err(|error| Error::invalid(error.to_string(), "report this"))?;
            self.base = Some(shared.image.clone());
            self.states.push(State { isolation, engine: Arc::clone(&shared.engine), state, system });
        }
        Ok(result)
    }

    /// Writes the image to a directory, which must not exist. A program that is interrupted leaves none there.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the directory exists, or if there is no state; [`Error::Io`]; [`Error::Image`] if the image
    /// that it is made from was changed.
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<Image, Error> {
        let Some(base) = &self.base else {
            return Err(Error::invalid(
                "the image has no state in which guests could start",
                "run the set-up program in a sandbox first",
            ));
        };
        let states: Vec<_> = self
            .states
            .iter()
            .map(|State { isolation, engine, state, system }| EngineState {
                name: *isolation,
                engine: &**engine,
                state,
                host: system,
            })
            .collect();
        let digest = hex::encode(Sha256::digest(&self.code));
        base.save_warm(directory.as_ref(), &self.name, &digest, &states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_plain_and_not_that_of_a_language() {
        for name in ["reports", "a", "data-2.1_x", "0"] {
            assert!(WarmImage::new(name, "").is_ok(), "{name}");
        }
        let long = "a".repeat(65);
        for name in ["", "-a", ".a", "A", "a/b", "a b", "python", "typescript", "..", long.as_str()] {
            let error = WarmImage::new(name, "").unwrap_err().to_string();
            assert!(error.contains("cannot have the name"), "{name}: {error}");
        }
    }

    #[test]
    fn an_image_without_a_state_is_not_written() {
        let image = WarmImage::new("reports", "").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let error = image.save(folder.path().join("reports")).unwrap_err().to_string();
        assert!(error.contains("no state"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
