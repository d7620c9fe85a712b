//! `wasi:cli`: the environment of a program, which contains nothing of the host's.

use isolette_abi::console::Stream;

use super::streams::{Sink, Source};
use crate::{
    Component,
    bindings::exports::wasi::{
        cli::{
            environment, exit, stderr, stdin, stdout, terminal_input, terminal_output, terminal_stderr, terminal_stdin,
            terminal_stdout,
        },
        io::streams::{InputStream, OutputStream},
    },
    host_calls::trap,
    output, state,
};

impl environment::Guest for Component {
    fn get_environment() -> Vec<(String, String)> {
        [("HOME", "/tmp"), ("TMPDIR", "/tmp")].map(|(name, value)| (name.into(), value.into())).into()
    }

    fn get_arguments() -> Vec<String> {
        Vec::new()
    }

    fn initial_cwd() -> Option<String> {
        Some(state::with(|state| state.files.working_directory(&state.calls).to_owned()))
    }
}

impl exit::Guest for Component {
    /// A component can only end itself by a trap, which ends the instance. Interpreters report the exit of a program as an
    /// outcome and do not call this function. If one does, its output is sent first.
    fn exit(status: Result<(), ()>) {
        let said: &[u8] = match status {
            Ok(()) => b"isolette: the interpreter ended itself\n",
            Err(()) => b"isolette: the interpreter ended itself with a failure\n",
        };
        output::write(Stream::Stderr, said);
        state::with(|state| state.console.flush(&mut state.calls));
        trap()
    }
}

impl stdin::Guest for Component {
    fn get_stdin() -> InputStream {
        InputStream::new(Source::Empty)
    }
}

impl stdout::Guest for Component {
    fn get_stdout() -> OutputStream {
        OutputStream::new(Sink::Console(Stream::Stdout))
    }
}

impl stderr::Guest for Component {
    fn get_stderr() -> OutputStream {
        OutputStream::new(Sink::Console(Stream::Stderr))
    }
}

/// A terminal, which does not exist.
pub(crate) enum NoTerminal {}

impl terminal_input::GuestTerminalInput for NoTerminal {}

impl terminal_output::GuestTerminalOutput for NoTerminal {}

impl terminal_input::Guest for Component {
    type TerminalInput = NoTerminal;
}

impl terminal_output::Guest for Component {
    type TerminalOutput = NoTerminal;
}

impl terminal_stdin::Guest for Component {
    fn get_terminal_stdin() -> Option<terminal_stdin::TerminalInput> {
        None
    }
}

impl terminal_stdout::Guest for Component {
    fn get_terminal_stdout() -> Option<terminal_stdout::TerminalOutput> {
        None
    }
}

impl terminal_stderr::Guest for Component {
    fn get_terminal_stderr() -> Option<terminal_stderr::TerminalOutput> {
        None
    }
}
