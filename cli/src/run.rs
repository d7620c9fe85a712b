//! `isolette run`: runs one program.

use std::io::{self, IsTerminal as _};

use isolette::{Error, Redaction, RunOptions, policy::PolicyFile};

use crate::{
    arguments::Run,
    audit::Recorder,
    exit,
    exit::Code,
    interrupt::interrupt,
    pause,
    printer::Printer,
    program::{Program, path_inside},
    report, sandbox_options, snapshot,
};

pub(crate) fn run(options: Run) -> Code {
    let json = options.json;
    execute(options).unwrap_or_else(|error| report::not_started(&error, json))
}

fn execute(options: Run) -> Result<Code, Error> {
    let program = Program::read(options.code.as_deref(), options.file.as_deref(), options.lang)?;
    let policy = options.sandbox.over(PolicyFile::default())?;
    let mut builder = options.repetition.apply(sandbox_options::builder(&policy, program.language));
    for name in &options.state.pause_on {
        builder = builder.tool(pause::tool(name)?);
    }
    if options.state.pause_for_approval {
        builder = pause::for_approval(builder);
    }
    // `--explain` must not create files.
    if !options.explain {
        builder = Recorder::open(&options.audit, Redaction::default())?.put_on_record(builder);
    }
    let sandbox = builder.build()?;
    let explanation = sandbox.explain();
    if options.state.pause_for_approval && !explanation.isolation.engine.saves_states() {
        return Err(Error::Unavailable {
            what: "a pause for approval".into(),
            reason: format!("programs cannot be paused in the isolation `{}`", explanation.isolation.engine),
            hint: "use the isolation `process` or `microvm`".into(),
        });
    }
    if options.explain {
        report::print_explanation(&sandbox.explain_program(&program.code), options.json);
        return Ok(Code::SUCCESS);
    }
    if io::stderr().is_terminal() && !options.json {
        say!("isolette: {} ({})", explanation.isolation.engine, explanation.isolation.reason);
    }
    let mut run = RunOptions::new().cancel(interrupt());
    if let Some(filename) = program.filename {
        let inside = options.file.as_deref().and_then(|file| path_inside(file, &policy));
        run = run.filename(inside.unwrap_or(filename));
    }
    let printer = Printer::new(options.json, explanation.isolation);
    let run = printer.follow(run);
    // The flag requires a file.
    let can_pause = options.state.pause_for_approval || !options.state.pause_on.is_empty();
    if let (Some(file), true) = (&options.state.save, can_pause) {
        return Ok(pause::finish(sandbox.start_with(&program.code, run), &printer, file));
    }
    let mut session = snapshot::session(&sandbox, &options.state)?;
    let result = match &mut session {
        Some(session) => session.run_with(&program.code, run),
        None => sandbox.run_with(&program.code, run),
    };
    let code = printer.finish(&result);
    // The result has been printed, whatever becomes of the state.
    let saved = snapshot::save(session, &result, &options.state);
    Ok(saved.map_or_else(|error| exit::fail(&error), |()| code))
}
