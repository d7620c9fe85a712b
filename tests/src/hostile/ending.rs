//! How a hostile program may end, as its header writes it.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use isolette::{Error, ExecutionResult};
use serde_json::json;

/// What a run returned.
pub type Ended = Result<ExecutionResult, Error>;

/// Every ending, as it is written.
const ALLOWED: &str = "`contained`, `value`, `exception KIND`, `exception *`, `exit CODE`, `exit *`, `truncated value`, \
                       `truncated error`, `timeout`, `cpu time`, `sleep`, `host call rate`, `memory`, `stack`, `crash`";

/// One way to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program checked itself that its attempts failed: its value is `"contained"`.
    Contained,
    /// It ended without an exception, with any value.
    Value,
    /// It ended in an exception of its language, of any kind or of this one.
    Exception(Option<String>),
    /// It exited, with any code or with this one.
    Exit(Option<i32>),
    /// Its value was too long, and was dropped.
    TruncatedValue,
    /// Its error was too long, and was cut.
    TruncatedError,
    /// The sandbox ended it at its timeout.
    Timeout,
    /// The sandbox ended it at the limit on CPU time.
    CpuTime,
    /// The sandbox ended it at the limit on sleeping.
    Sleep,
    /// The sandbox ended it because it called the host too often.
    HostCallRate,
    /// The sandbox ended it at the limit on memory.
    Memory,
    /// The sandbox ended it at the end of its stack.
    Stack,
    /// It broke its own interpreter, and the sandbox ended it.
    Crash,
}

impl Ending {
    fn describes(&self, ended: &Ended) -> bool {
        match (self, ended) {
            (Self::Contained, Ok(result)) => result.error.is_none() && result.value == Some(json!("contained")),
            (Self::Value, Ok(result)) => result.error.is_none(),
            (Self::Exception(kind), Ok(result)) => {
                let is_meant = |found: &str| kind.as_ref().is_none_or(|kind| kind == found);
                result.error.as_ref().is_some_and(|error| is_meant(&error.kind))
            }
            (Self::Exit(code), Ok(result)) => code.is_none_or(|code| code == result.exit_code),
            (Self::TruncatedValue, Ok(result)) => result.truncated.value,
            (Self::TruncatedError, Ok(result)) => result.truncated.error > 0,
            (Self::Timeout, Err(Error::Timeout { .. }))
            | (Self::CpuTime, Err(Error::CpuTimeExceeded { .. }))
            | (Self::Sleep, Err(Error::SleepExceeded { .. }))
            | (Self::HostCallRate, Err(Error::HostCallRateExceeded { .. }))
            | (Self::Memory, Err(Error::OutOfMemory { .. }))
            | (Self::Stack, Err(Error::StackOverflow { .. }))
            | (Self::Crash, Err(Error::GuestCrashed { .. })) => true,
            _ => false,
        }
    }
}

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("`{text}` is no ending; those that there are: {ALLOWED}");
        let any_or = |word: &str| (word != "*").then(|| word.to_owned());
        Ok(match text {
            "contained" => Self::Contained,
            "value" => Self::Value,
            "truncated value" => Self::TruncatedValue,
            "truncated error" => Self::TruncatedError,
            "timeout" => Self::Timeout,
            "cpu time" => Self::CpuTime,
            "sleep" => Self::Sleep,
            "host call rate" => Self::HostCallRate,
            "memory" => Self::Memory,
            "stack" => Self::Stack,
            "crash" => Self::Crash,
            _ => match text.split_once(' ') {
                Some(("exception", kind)) if !kind.is_empty() && !kind.contains(' ') => Self::Exception(any_or(kind)),
                Some(("exit", "*")) => Self::Exit(None),
                Some(("exit", code)) => Self::Exit(Some(code.parse().map_err(|_| unknown())?)),
                _ => return Err(unknown()),
            },
        })
    }
}

/// The ways in which a program may end: `ENDING [and ENDING]… [or …]…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    text: String,
    /// Of each alternative, all endings are observed at once.
    alternatives: Vec<Vec<Ending>>,
}

impl Expectation {
    /// Whether a run ended in one of these ways.
    pub fn is_met_by(&self, ended: &Ended) -> bool {
        self.alternatives.iter().any(|all| all.iter().all(|ending| ending.describes(ended)))
    }

    /// Whether the program may run until its timeout.
    #[must_use]
    pub fn may_time_out(&self) -> bool {
        self.alternatives.iter().any(|all| **all == [Ending::Timeout])
    }
}

impl FromStr for Expectation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = |alternative: &str| alternative.split(" and ").map(|ending| ending.trim().parse()).collect();
        let alternatives = text.split(" or ").map(all).collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), alternatives })
    }
}

impl Display for Expectation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// How a run ended, for a person who compares it with an expectation.
#[must_use]
pub fn describe(ended: &Ended) -> String {
    let text = match ended {
        Err(error) => format!("{}: {error}", error.name()),
        Ok(result) => match &result.error {
            Some(error) => format!("exception {}: {}\n{}", error.kind, error.message, error.traceback),
            None => format!("exit code {} and {:?}", result.exit_code, result.value),
        },
    };
    text.chars().take(1000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_and_combinations_are_read() {
        let expectation: Expectation = "truncated error and exception RangeError or exit 7 or timeout".parse().unwrap();
        let exception = Ending::Exception(Some("RangeError".into()));
        let alternatives =
            [vec![Ending::TruncatedError, exception], vec![Ending::Exit(Some(7))], vec![Ending::Timeout]];
        assert_eq!(expectation.alternatives, alternatives);
        assert!(expectation.may_time_out());
        assert!(!"timeout and memory".parse::<Expectation>().unwrap().may_time_out());
        let any: Expectation = "exception * or exit *".parse().unwrap();
        assert_eq!(any.alternatives, [[Ending::Exception(None)], [Ending::Exit(None)]]);
    }

    #[test]
    fn every_allowed_ending_can_be_written() {
        for ending in ALLOWED.split(", ").map(|ending| ending.trim_matches('`').replace("CODE", "1")) {
            ending.parse::<Ending>().unwrap();
        }
    }

    #[test]
    fn an_unknown_ending_is_refused_with_the_allowed_ones() {
        for text in
            ["", "timeouts", "exception", "exception A B", "exit", "exit one", "truncated", "Timeout", "value or "]
        {
            let error = text.parse::<Expectation>().unwrap_err();
            assert!(error.contains("is no ending") && error.contains(ALLOWED), "{text}: {error}");
        }
    }
}
