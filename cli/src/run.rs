//! `isolette run`: runs one program.

use std::{
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use isolette::{CancellationToken, Error, ExecutionResult, Redaction, RunOptions, Stream, policy::PolicyFile};

use crate::{
    arguments::Run,
    audit::Recorder,
    exit::{self, Code},
    program::Program,
    report, sandbox_options, snapshot,
    terminal::{Output, say_text},
};

pub(crate) fn run(options: Run) -> ExitCode {
    let json = options.json;
    execute(options).unwrap_or_else(|error| {
        if json {
            report::print_failure(&error, None);
            return Code::of(&error).into();
        }
        exit::fail(&error)
    })
}

fn execute(options: Run) -> Result<ExitCode, Error> {
    let program = Program::read(&options)?;
    let policy = options.sandbox.over(PolicyFile::default())?;
    let mut builder = options.repetition.apply(sandbox_options::builder(&policy, program.language));
    // `--explain` must not create files.
    if !options.explain {
        builder = Recorder::open(&options.audit, Redaction::default())?.put_on_record(builder);
    }
    let sandbox = builder.build()?;
    let explanation = sandbox.explain();
    if options.explain {
        report::print_explanation(&sandbox.explain_program(&program.code), options.json);
        return Ok(ExitCode::SUCCESS);
    }
    if io::stderr().is_terminal() && !options.json {
        say!("isolette: {} ({})", explanation.isolation.engine, explanation.isolation.reason);
    }
    let wrote = Arc::new(AtomicBool::new(false));
    let outputs = Arc::new(Mutex::new([Output::default(), Output::default()]));
    let mut run = RunOptions::new().cancel(interrupt());
    if let Some(filename) = program.filename {
        run = run.filename(filename);
    }
    if !options.json {
        let (wrote, outputs) = (Arc::clone(&wrote), Arc::clone(&outputs));
        run = run.on_output(move |stream, bytes| {
            let mut outputs = outputs.lock().unwrap_or_else(PoisonError::into_inner);
            // A reader that closes the pipe does not stop the program.
            let _ = match stream {
                Stream::Stdout => {
                    wrote.store(true, Ordering::Relaxed);
                    outputs[0].write(&mut io::stdout(), bytes).and_then(|()| io::stdout().flush())
                }
                Stream::Stderr => outputs[1].write(&mut io::stderr(), bytes),
            };
        });
    }
    let mut session = snapshot::session(&sandbox, &options.state)?;
    let result = match &mut session {
        Some(session) => session.run_with(&program.code, run),
        None => sandbox.run_with(&program.code, run),
    };
    let [mut stdout, mut stderr] = std::mem::take(&mut *outputs.lock().unwrap_or_else(PoisonError::into_inner));
    let _ = stdout.finish(&mut io::stdout()).and_then(|()| stderr.finish(&mut io::stderr()));
    let code = match &result {
        Ok(result) if options.json => {
            report::print_result(result, &explanation.isolation);
            exit::of_program(result.exit_code)
        }
        Err(error) if options.json => {
            report::print_failure(error, Some(&explanation.isolation));
            Code::of(error).into()
        }
        Ok(result) => {
            say(result, wrote.load(Ordering::Relaxed));
            exit::of_program(result.exit_code)
        }
        Err(error) => exit::fail(error),
    };
    // The result has been printed, whatever becomes of the state.
    let saved = snapshot::save(session, &result, &options.state);
    Ok(saved.map_or_else(|error| exit::fail(&error), |()| code))
}

/// Prints what remains after the output has been streamed: the exception, the value and warnings.
fn say(result: &ExecutionResult, wrote: bool) {
    if let Some(error) = &result.error {
        say_text(error.traceback.trim_end());
    }
    if let (Some(value), false) = (&result.value, wrote) {
        report::print_value(value, result.value_exact);
    }
    let truncated = result.truncated;
    for (what, count) in [("stdout", truncated.stdout), ("stderr", truncated.stderr)] {
        if count > 0 {
            say!("warning: {what} was over its limit; {count} bytes are missing");
        }
    }
    if truncated.value {
        say!("warning: the value was over its limit and is missing");
    }
}

/// Returns a token that Ctrl-C cancels. A second Ctrl-C ends the process at once.
fn interrupt() -> CancellationToken {
    let token = CancellationToken::new();
    let on_signal = token.clone();
    // Without a handler Ctrl-C ends the process without a report of the partial result.
    let _ = ctrlc::set_handler(move || {
        if on_signal.is_cancelled() {
            std::process::exit(exit::CANCELLED.number());
        }
        on_signal.cancel();
    });
    token
}
