//! One line as a request.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette_policy::parse_duration;
use serde::Deserialize;
use serde_json::Value;

use crate::{Failure, Id};

/// The operation that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// A reply.
    Ping,
    /// The end of the request with the same identifier.
    Cancel,
    /// The end of the sandbox.
    Destroy,
    /// An operation in the sandbox.
    Sandbox(Operation),
}

/// The operation in a sandbox that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A program.
    Exec(Exec),
    /// The bytes of a file.
    Read {
        /// The path of the file.
        path: String,
        /// The encoding of the bytes in the reply.
        encoding: Encoding,
    },
    /// A file with these bytes.
    Write {
        /// The path of the file.
        path: String,
        /// The content of the file.
        bytes: Vec<u8>,
    },
    /// The names in a folder.
    List {
        /// The path of the folder.
        path: String,
    },
    /// A snapshot.
    Snapshot {
        /// A text to keep with it.
        note: String,
    },
    /// The state of a snapshot.
    Restore {
        /// Its identifier.
        snapshot: String,
    },
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exec {
    /// The command or the program to run.
    pub source: Source,
    /// Time limit of each program.
    pub timeout: Option<Duration>,
    /// The encoding of the output in the reply.
    pub encoding: Encoding,
}

/// The command or the program to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A command, for [`steps`](crate::command::steps).
    Command(String),
    /// A program.
    Code {
        /// Its text.
        code: String,
        /// Its language.
        language: Option<String>,
        /// Its context.
        context: Option<String>,
    },
}

/// The encoding of bytes in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As text, if they are UTF-8.
    #[default]
    Text,
    /// As base64.
    Base64,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    op: String,
    id: Option<Id>,
    cmd: Option<String>,
    code: Option<String>,
    lang: Option<String>,
    context: Option<String>,
    timeout: Option<Id>,
    path: String,
    content: String,
    encoding: Option<String>,
    snapshot: String,
    note: String,
}

/// The identifier of a line that is not a valid request.
#[derive(Deserialize)]
struct OnlyId {
    id: Option<Id>,
}

/// Reads a line: its identifier if it has one, and what it asks for.
pub(crate) fn parse(line: &str) -> (Option<Id>, Result<Request, Failure>) {
    // Values in the order of the fields would be read as an object.
    if line.trim_start().starts_with('[') {
        return (
            None,
            Err(Failure::usage("invalid request: it is a list, and not an object", "see isolette proxy --help")),
        );
    }
    match serde_json::from_str::<Fields>(line) {
        Ok(mut fields) => (fields.id.take(), fields.request()),
        Err(error) => {
            let id = serde_json::from_str::<OnlyId>(line).ok().and_then(|line| line.id);
            (id, Err(Failure::usage(format!("invalid request: {error}"), "see isolette proxy --help")))
        }
    }
}

impl Fields {
    fn request(self) -> Result<Request, Failure> {
        match self.op.as_str() {
            "ping" => Ok(Request::Ping),
            "cancel" => Ok(Request::Cancel),
            "destroy" => Ok(Request::Destroy),
            _ => self.operation().map(Request::Sandbox),
        }
    }

    fn operation(self) -> Result<Operation, Failure> {
        let encoding = match self.encoding.as_deref() {
            None | Some("utf-8") => Encoding::Text,
            Some("base64") => Encoding::Base64,
            Some(other) => {
                let message = format!("there is no encoding `{}`", other.escape_debug());
                return Err(Failure::usage(message, "use utf-8 or base64"));
            }
        };
        match self.op.as_str() {
            "exec" => {
                let timeout = self.timeout.map(|timeout| time(timeout.value())).transpose()?;
                let source = match (self.cmd, self.code) {
                    (Some(command), _) => Source::Command(command),
                    (None, Some(code)) => Source::Code { code, language: self.lang, context: self.context },
                    (None, None) => return Err(Failure::usage("`exec` needs `code` or `cmd`", "")),
                };
                Ok(Operation::Exec(Exec { source, timeout, encoding }))
            }
            "read" => Ok(Operation::Read { path: self.path, encoding }),
            "write" => {
                let bytes = match encoding {
                    Encoding::Text => self.content.into_bytes(),
                    Encoding::Base64 => {
                        STANDARD.decode(&self.content).map_err(|error| Failure::usage(error.to_string(), ""))?
                    }
                };
                Ok(Operation::Write { path: self.path, bytes })
            }
            "list" => Ok(Operation::List { path: self.path }),
            "snapshot" => Ok(Operation::Snapshot { note: self.note }),
            "restore" => Ok(Operation::Restore { snapshot: self.snapshot }),
            other => {
                let message = format!("there is no operation `{}`", other.escape_debug());
                Err(Failure::usage(message, "see isolette proxy --help"))
            }
        }
    }
}

/// A time in seconds, or with its unit.
fn time(value: &Value) -> Result<Duration, Failure> {
    let refused =
        |why: String| Failure::usage(format!("`timeout`: {why}"), "write seconds, or a text such as \"500ms\"");
    match value {
        Value::String(text) => parse_duration(text).map_err(refused),
        value => {
            let seconds = value.as_f64().filter(|seconds| *seconds > 0.0);
            let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            time.ok_or_else(|| refused(format!("{value} is not a time")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: Option<Id>) -> Option<String> {
        id.and_then(|id| id.value().as_str().map(str::to_owned))
    }

    #[test]
    fn a_line_that_is_no_request_keeps_its_identifier() {
        for line in [
            r#"{"op": "ping", "id": "a", "unknown": [[1]]}"#,
            r#"{"op": "read", "path": 5, "id": "a"}"#,
            r#"{"op": ["exec"], "id": "a"}"#,
            r#"{"op": "dance", "id": "a"}"#,
            r#"{"op": "exec", "id": "a", "cmd": "ls", "timeout": [1]}"#,
        ] {
            let (id, request) = parse(line);
            assert_eq!((text(id), request.unwrap_err().kind), (Some("a".into()), "InvalidArgument".into()), "{line}");
        }
        for line in [
            "",
            "1",
            "[]",
            " [\"ping\", \"a\"]",
            r#"{"id": "a""#,
            r#"{"id": ["a"]}"#,
            r#"{"id": "a", "id": "b"}"#,
            r#"{"id": 1e999}"#,
            r#"{"id": 100000000000000000001}"#,
        ] {
            let (id, request) = parse(line);
            assert!(id.is_none() && request.is_err(), "{line}");
        }
    }

    #[test]
    fn times_are_seconds_or_have_a_unit() {
        let timeout = |text: &str| match parse(&format!(r#"{{"op": "exec", "code": "1", "timeout": {text}}}"#)).1 {
            Ok(Request::Sandbox(Operation::Exec(exec))) => exec.timeout,
            Ok(other) => panic!("{other:?}"),
            Err(_) => Some(Duration::ZERO),
        };
        assert_eq!(timeout("60"), Some(Duration::from_secs(60)));
        assert_eq!(timeout("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(timeout("\"500ms\""), Some(Duration::from_millis(500)));
        assert_eq!(timeout("null"), None);
        for refused in ["0", "-1", "1e300", "true", "\"soon\""] {
            assert_eq!(timeout(refused), Some(Duration::ZERO), "{refused}");
        }
    }
}
