//! Prints a run: its output while it goes on, and the rest at its end.

use std::{
    io::{self, Write as _},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use isolette::{Error, ExecutionResult, RunOptions, SelectedEngine, Stream};

use crate::{
    exit::{self, Code},
    report,
    terminal::{Output, say_text},
};

/// The printer of one run: of its output as it comes, or of one JSON object.
pub(crate) struct Printer {
    pub(crate) json: bool,
    isolation: SelectedEngine,
    /// Whether there was output on stdout.
    wrote: Arc<AtomicBool>,
    outputs: Arc<Mutex<[Output; 2]>>,
}

impl Printer {
    pub(crate) fn new(json: bool, isolation: SelectedEngine) -> Self {
        Self { json, isolation, wrote: Arc::default(), outputs: Arc::default() }
    }

    /// Makes a run print its output while it goes on, unless all is JSON.
    pub(crate) fn follow(&self, run: RunOptions) -> RunOptions {
        if self.json {
            return run;
        }
        let (wrote, outputs) = (Arc::clone(&self.wrote), Arc::clone(&self.outputs));
        run.on_output(move |stream, bytes| {
            let mut outputs = outputs.lock().unwrap_or_else(PoisonError::into_inner);
            // A reader that closes the pipe does not stop the program.
            let _ = match stream {
                Stream::Stdout => {
                    wrote.store(true, Ordering::Relaxed);
                    outputs[0].write(&mut io::stdout(), bytes).and_then(|()| io::stdout().flush())
                }
                Stream::Stderr => outputs[1].write(&mut io::stderr(), bytes),
            };
        })
    }

    /// Ends the output, whose last character may have been incomplete.
    pub(crate) fn end_output(&self) {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let [mut stdout, mut stderr] = std::mem::take(&mut *outputs);
        let _ = stdout.finish(&mut io::stdout()).and_then(|()| stderr.finish(&mut io::stderr()));
    }

    /// Prints the end of a run. Returns the exit code.
    pub(crate) fn finish(&self, result: &Result<ExecutionResult, Error>) -> Code {
        self.end_output();
        match result {
            Ok(result) if self.json => {
                report::print_result(result, &self.isolation);
                exit::of_program(result.exit_code)
            }
            Err(error) if self.json => {
                report::print_failure(error, Some(&self.isolation));
                Code::of(error)
            }
            Ok(result) => {
                say(result, self.wrote.load(Ordering::Relaxed));
                exit::of_program(result.exit_code)
            }
            Err(error) => exit::fail(error),
        }
    }
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
