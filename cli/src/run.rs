//! `isolette run`.

use std::{
    fs,
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use isolette::{
    CancellationToken, Error, ExecutionResult, RunOptions, Sandbox, Stream,
    policy::{
        Limits,
        network::{Network, Rule},
    },
};

use crate::{
    arguments::{NetworkMode, Run},
    exit::{self, Code},
    program::Program,
    report,
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
    let sandbox = build(&options, &program)?;
    let explanation = sandbox.explain();
    if options.explain {
        report::print_explanation(&explanation, options.json);
        return Ok(ExitCode::SUCCESS);
    }
    if io::stderr().is_terminal() && !options.json {
        eprintln!("isolette: {} ({})", explanation.isolation.engine, explanation.isolation.reason);
    }
    let wrote = Arc::new(AtomicBool::new(false));
    let mut run = RunOptions::new().cancel(interrupt());
    if let Some(filename) = program.filename {
        run = run.filename(filename);
    }
    if !options.json {
        let wrote = Arc::clone(&wrote);
        run = run.on_output(move |stream, bytes| {
            // A reader that went away is no reason to stop the program.
            let _ = match stream {
                Stream::Stdout => {
                    wrote.store(true, Ordering::Relaxed);
                    io::stdout().write_all(bytes).and_then(|()| io::stdout().flush())
                }
                Stream::Stderr => io::stderr().write_all(bytes),
            };
        });
    }
    let result = sandbox.run_with(&program.code, run);
    if options.json {
        return Ok(match &result {
            Ok(result) => {
                report::print_result(result, &explanation.isolation);
                exit::of_program(result.exit_code)
            }
            Err(error) => {
                report::print_failure(error, Some(&explanation.isolation));
                Code::of(error).into()
            }
        });
    }
    let result = result?;
    say(&result, wrote.load(Ordering::Relaxed));
    Ok(exit::of_program(result.exit_code))
}

/// What is left to say after the output has been streamed.
fn say(result: &ExecutionResult, wrote: bool) {
    if let Some(error) = &result.error {
        eprintln!("{}", error.traceback.trim_end());
    }
    if let (Some(value), false) = (&result.value, wrote) {
        report::print_value(value, result.value_exact);
    }
    let truncated = result.truncated;
    for (what, count) in [("stdout", truncated.stdout), ("stderr", truncated.stderr)] {
        if count > 0 {
            eprintln!("warning: {what} was over its limit; {count} bytes are missing");
        }
    }
    if truncated.value {
        eprintln!("warning: the value was over its limit and is missing");
    }
}

fn build(options: &Run, program: &Program) -> Result<Sandbox, Error> {
    let mut limits = Limits::default();
    limits.wall_time = options.timeout;
    limits.memory = options.memory;
    let mut builder = Sandbox::builder().language(program.language).isolation(options.isolation).limits(limits);
    if let Some(image) = &options.image {
        builder = builder.image(image);
    }
    for mount in &options.mount {
        builder = builder.mount(&mount.host, &mount.guest, mount.access);
    }
    if let Some(input) = &options.input {
        builder = builder.input_dir(input);
    }
    if let Some(output) = &options.output {
        fs::create_dir_all(output)
            .map_err(|source| Error::Io { context: format!("cannot create `{}`", output.display()), source })?;
        builder = builder.output_dir(output);
    }
    for (name, value) in &options.variables {
        builder = builder.variable(name, value.clone());
    }
    for rule in &options.allow {
        builder = builder.allow(rule);
    }
    for url in &options.base_url {
        builder = builder.base_url(url);
    }
    match options.network {
        None => {}
        Some(NetworkMode::None) => builder = builder.network(Network::None),
        Some(NetworkMode::Full) => builder = builder.network(Network::Full),
        Some(NetworkMode::Allowlist) => builder = builder.network(Network::Allowlist(Vec::<Rule>::new())),
    }
    builder.build()
}

/// Cancelled by Ctrl-C. The second one ends the process, in case the first is not enough.
fn interrupt() -> CancellationToken {
    let token = CancellationToken::new();
    let on_signal = token.clone();
    // Without a handler Ctrl-C still ends the process; only what the program did until then is not told.
    let _ = ctrlc::set_handler(move || {
        if on_signal.is_cancelled() {
            std::process::exit(exit::CANCELLED.number());
        }
        on_signal.cancel();
    });
    token
}
