//! Exit codes. Those of programs are passed through; those of the sandbox are above 100.

use std::process::ExitCode;

use isolette::Error;

/// An exit code of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(u8);

pub(crate) const USAGE: Code = Code(102);
const IMAGE: Code = Code(103);
const UNAVAILABLE: Code = Code(104);
const IO: Code = Code(105);
const LIMIT: Code = Code(123);
const TIMEOUT: Code = Code(124);
const CRASHED: Code = Code(125);
const OUT_OF_MEMORY: Code = Code(126);
const STACK_OVERFLOW: Code = Code(127);
pub(crate) const CANCELLED: Code = Code(130);

/// Printed below `isolette run --help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0-100  the program's own: 0, 1 after an exception, or what it asked for
  102    a flag, an argument or the program's text cannot be used
  103    there is no image, or it cannot be used
  104    the isolation that was asked for is not available
  105    reading or writing failed, that of the audit included
  123    the program went over a limit of its policy
  124    the program ran for longer than its time limit
  125    the guest crashed
  126    the program ran out of memory and could not go on
  127    the program's calls were nested too deeply and it could not go on
  130    interrupted (Ctrl-C)";

impl Code {
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            Error::ImageNotFound { .. } | Error::Image { .. } => IMAGE,
            Error::Unavailable { .. } => UNAVAILABLE,
            Error::Io { .. } | Error::Audit { .. } => IO,
            Error::Timeout { .. } | Error::CpuTimeExceeded { .. } => TIMEOUT,
            Error::SleepExceeded { .. } | Error::HostCallRateExceeded { .. } | Error::AuditBytesExceeded { .. } => {
                LIMIT
            }
            Error::Cancelled { .. } => CANCELLED,
            Error::OutOfMemory { .. } => OUT_OF_MEMORY,
            Error::StackOverflow { .. } => STACK_OVERFLOW,
            Error::GuestCrashed { .. } | Error::SessionEnded { .. } => CRASHED,
            _ => USAGE,
        }
    }

    pub(crate) fn number(self) -> i32 {
        self.0.into()
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code.0)
    }
}

/// The exit code of a program, as far as the system can represent it.
pub(crate) fn of_program(code: i32) -> ExitCode {
    // The system keeps the low byte; a code other than 0 must not become 0 by that.
    match u8::try_from(code & 0xff).unwrap_or(1) {
        0 if code != 0 => ExitCode::FAILURE,
        low => ExitCode::from(low),
    }
}

/// Prints an error and returns its exit code.
pub(crate) fn fail(error: &Error) -> ExitCode {
    say!("error: {error}");
    Code::of(error).into()
}
