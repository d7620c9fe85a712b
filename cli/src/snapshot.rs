//! Snapshots on the command line: `run --from`, `run --save`, `snapshot` and `fork`.

use std::path::Path;

use bytesize::ByteSize;
use isolette::{Error, ExecutionResult, RunOptions, Sandbox, Session, Snapshot, policy::PolicyFile};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    arguments::{Fork, SnapshotFile, State},
    exit::{self, Code},
    report, sandbox_options,
};

/// The session in which the program runs, if its state comes from a file or goes to one.
pub(crate) fn session(sandbox: &Sandbox, state: &State) -> Result<Option<Session>, Error> {
    match &state.from {
        Some(path) => sandbox.session_from(&load(path, state.untrusted)?).map(Some),
        None => state.save.is_some().then(|| sandbox.session()).transpose(),
    }
}

/// Saves the state after the program, if that was asked for and the program has not failed.
pub(crate) fn save(
    session: Option<Session>,
    result: &Result<ExecutionResult, Error>,
    state: &State,
) -> Result<(), Error> {
    let (Some(mut session), Some(path)) = (session, &state.save) else { return Ok(()) };
    match result {
        Ok(result) if result.success() => session.snapshot()?.save(path),
        _ => {
            say!("warning: the state was not saved, because the program failed");
            Ok(())
        }
    }
}

fn load(path: &Path, untrusted: bool) -> Result<Snapshot, Error> {
    if untrusted { Snapshot::load_untrusted(path) } else { Snapshot::load(path) }
}

/// `isolette snapshot`: describes a snapshot.
pub(crate) fn snapshot(options: &SnapshotFile) -> Code {
    match describe(options) {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn describe(options: &SnapshotFile) -> Result<(), Error> {
    let snapshot = Snapshot::load(&options.file)?;
    if options.json {
        let (isolation, image, bytes) = (snapshot.isolation(), snapshot.image(), snapshot.size());
        let language = snapshot.language();
        report::print(&json!({ "isolation": isolation, "language": language, "image": image, "bytes": bytes }));
        return Ok(());
    }
    report::line(&format!("isolation  {}", snapshot.isolation()));
    report::line(&format!("language   {}", snapshot.language()));
    report::line(&format!("image      {}", snapshot.image()));
    report::line(&format!("memory     {}", ByteSize(snapshot.size())));
    Ok(())
}

/// A line of `isolette fork`.
#[derive(Serialize)]
struct Copy<'a> {
    copy: u32,
    #[serde(flatten)]
    result: &'a ExecutionResult,
}

/// `isolette fork`: runs a program in copies of a snapshot.
pub(crate) fn fork(options: Fork) -> Code {
    run_copies(options).unwrap_or_else(|error| exit::fail(&error))
}

fn run_copies(options: Fork) -> Result<Code, Error> {
    let snapshot = Snapshot::load(&options.snapshot)?;
    let language = options.lang.unwrap_or_else(|| snapshot.language());
    let policy = options.sandbox.over(PolicyFile::default())?;
    let sandbox = sandbox_options::builder(&policy, language).build()?;
    let mut code = Code::SUCCESS;
    for copy in 0..options.count {
        let mut session = sandbox.session_from(&snapshot)?;
        match session.run_with(&options.code, RunOptions::new().variable("COPY", Value::from(copy))) {
            Ok(result) => {
                if result.exit_code != 0 {
                    code = exit::of_program(result.exit_code);
                }
                report::print(&Copy { copy, result: &result });
            }
            Err(error) => {
                let Some(result) = error.partial() else { return Err(error) };
                say!("error: copy {copy}: {error}");
                report::print(&Copy { copy, result });
                code = Code::of(&error);
            }
        }
    }
    Ok(code)
}
