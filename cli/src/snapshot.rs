//! Snapshots on the command line: `run --from`, `run --save`, `snapshot` and `fork`.

use std::path::Path;

use bytesize::ByteSize;
use isolette::{Error, ExecutionResult, RunOptions, Sandbox, Session, Snapshot, policy::PolicyFile};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    arguments::{Fork, Snapshot as SnapshotOptions, State},
    exit::{self, Code},
    report, sandbox_options,
    sandbox_options::SandboxOptions,
    service,
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

/// `isolette snapshot`: describes a snapshot in a file, or does what is to be done on the server.
pub(crate) fn snapshot(options: SnapshotOptions) -> Code {
    if let Some(command) = options.command {
        return service::snapshot(command);
    }
    // The command line parser requires one of them.
    match describe(&options.file.unwrap_or_default(), options.json) {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn describe(file: &Path, json: bool) -> Result<(), Error> {
    let snapshot = Snapshot::load(file)?;
    if json {
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

/// `isolette fork`: forks a sandbox, or runs a program in copies of a snapshot.
pub(crate) fn fork(options: Fork) -> Code {
    let done = match options.code.clone() {
        Some(code) => run_copies(options, &code),
        None => fork_sandbox(&options),
    };
    done.unwrap_or_else(|error| exit::fail(&error))
}

fn fork_sandbox(options: &Fork) -> Result<Code, Error> {
    if options.sandbox != SandboxOptions::default() || options.lang.is_some() {
        return Err(Error::invalid(
            "forks of a sandbox have its language and its policy",
            "leave the other flags out; to run a program in copies of a snapshot in a file, add --code",
        ));
    }
    let sandbox = options.snapshot.display().to_string();
    Ok(service::fork(&sandbox, options.count.unwrap_or(1), &options.server, options.json))
}

fn run_copies(options: Fork, code: &str) -> Result<Code, Error> {
    let snapshot = Snapshot::load(&options.snapshot)?;
    let language = options.lang.unwrap_or_else(|| snapshot.language());
    let policy = options.sandbox.over(PolicyFile::default())?;
    let sandbox = sandbox_options::builder(&policy, language).build()?;
    let mut exit = Code::SUCCESS;
    for copy in 0..options.count.unwrap_or(2) {
        let mut session = sandbox.session_from(&snapshot)?;
        match session.run_with(code, RunOptions::new().variable("COPY", Value::from(copy))) {
            Ok(result) => {
                if result.exit_code != 0 {
                    exit = exit::of_program(result.exit_code);
                }
                report::print(&Copy { copy, result: &result });
            }
            Err(error) => {
                let Some(result) = error.partial() else { return Err(error) };
                say!("error: copy {copy}: {error}");
                report::print(&Copy { copy, result });
                exit = Code::of(&error);
            }
        }
    }
    Ok(exit)
}
