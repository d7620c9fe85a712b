//! Exit codes. Those of programs are passed through. Those of the sandbox are above 100 and differ from those of shells; 124 is
//! that of `timeout`.

use isolette::Error;

/// An exit code, of the sandbox or of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(u8);

pub(crate) const USAGE: Code = Code(102);
const IMAGE: Code = Code(103);
const UNAVAILABLE: Code = Code(104);
const IO: Code = Code(105);
pub(crate) const PAUSED: Code = Code(106);
const NO_COMMAND: Code = Code(107);
const OUT_OF_MEMORY: Code = Code(121);
const STACK_OVERFLOW: Code = Code(122);
const LIMIT: Code = Code(123);
const TIMEOUT: Code = Code(124);
pub(crate) const CRASHED: Code = Code(125);
pub(crate) const CANCELLED: Code = Code(130);

/// Printed below `isolette run --help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0-100  the program's own: 0, 1 after an exception, or the code that it requested
  102    a flag, an argument or the program's text is invalid
  103    there is no image, or it is invalid
  104    the requested isolation is not available
  105    reading or writing failed, including the audit
  106    the program is paused, and saved (--pause-on)
  107    the command does not exist in the sandbox (exec --cmd)
  121    the program exceeded its memory limit
  122    the program exceeded its stack limit
  123    the program exceeded another limit of its policy
  124    the program exceeded its time limit
  125    the guest crashed
  130    interrupted (Ctrl-C)
126 and 127 are not used, because shells return them for commands that cannot be started.";

impl Code {
    pub(crate) const SUCCESS: Self = Self(0);
    pub(crate) const FAILURE: Self = Self(1);

    pub(crate) fn of(error: &Error) -> Self {
        Self::of_name(error.name())
    }

    /// The exit code of an error, by the name of the error that servers send.
    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "ImageNotFound" | "Image" => IMAGE,
            "Unavailable" | "Busy" | "Stopping" => UNAVAILABLE,
            "Io" | "Audit" => IO,
            "CommandNotFound" => NO_COMMAND,
            "Timeout" | "CpuTimeExceeded" => TIMEOUT,
            "SleepExceeded" | "HostCallRateExceeded" | "AuditBytesExceeded" => LIMIT,
            "Cancelled" => CANCELLED,
            "OutOfMemory" => OUT_OF_MEMORY,
            "StackOverflow" => STACK_OVERFLOW,
            "GuestCrashed" | "SessionEnded" | "Lost" => CRASHED,
            _ => USAGE,
        }
    }

    pub(crate) fn number(self) -> u8 {
        self.0
    }
}

/// The exit code of a program, as far as the system can represent it.
pub(crate) fn of_program(code: i32) -> Code {
    // The system keeps the low byte; a code other than 0 must not become 0 by that.
    match u8::try_from(code & 0xff).unwrap_or(1) {
        0 if code != 0 => Code::FAILURE,
        low => Code(low),
    }
}

/// Prints an error and returns its exit code.
pub(crate) fn fail(error: &Error) -> Code {
    say!("error: {error}");
    Code::of(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shells return 126 and 127 for commands that they cannot start, and 128 plus the number of a signal.
    #[test]
    fn codes_are_distinct_and_differ_from_those_of_shells() {
        let codes = [
            USAGE,
            IMAGE,
            UNAVAILABLE,
            IO,
            PAUSED,
            NO_COMMAND,
            LIMIT,
            TIMEOUT,
            CRASHED,
            OUT_OF_MEMORY,
            STACK_OVERFLOW,
            CANCELLED,
        ];
        for (place, code) in codes.iter().enumerate() {
            assert!(!codes[..place].contains(code), "{code:?} is used twice");
            assert!((101..126).contains(&code.0) || *code == CANCELLED, "{code:?}");
            assert!(HELP.contains(&format!("\n  {}    ", code.0)), "{code:?} is not in the help");
        }
    }
}
