//! The first and the last message of a run.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::{Payload, console::Output};

/// The input of `guest.run`. It includes the random seed and the mounts, which nearly every program needs, so that a short
/// program makes few host calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start<'a> {
    /// The [`crate::VERSION`] of the host.
    pub version: u16,
    /// New random bytes for each run, from the cryptographic random source of the host.
    pub seed: [u8; 32],
    /// The mounts, sorted by path.
    #[serde(borrow)]
    pub mounts: Vec<Mount<'a>>,
    /// The source text of the program, in UTF-8.
    pub code: Payload<'a>,
    /// The file name of the program in tracebacks.
    pub filename: &'a str,
    /// The globals to set, as an encoded `Vec<Variable>`.
    pub variables: Payload<'a>,
    /// Whether the program starts with fresh globals or those of the previous run.
    pub mode: Mode,
    /// How the interpreter exposes the body of an HTTP response to the program.
    pub http_body: BodyRule,
    /// What calls of tools return, and why.
    #[serde(borrow)]
    pub tool_calls: CallStyle<'a>,
    /// What calls of functions of custom interfaces return, and why.
    pub interface_calls: CallStyle<'a>,
    /// The names and conventions by which the program calls tools.
    pub dialect: Dialect,
}

/// What calls return in a program (`wit/runner.wit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallStyle<'a> {
    /// Whether calls return awaitables or promises, instead of results.
    pub asynchronous: bool,
    /// The setting or the line of the program that this follows from, for error messages.
    pub reason: &'a str,
}

/// The names and conventions by which a program calls tools (`wit/runner.wit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dialect {
    /// Those of this project.
    Isolette,
    /// Anthropic's programmatic tool calling.
    Anthropic,
    /// OpenAI's programmatic tool calling.
    OpenAi,
    /// Code mode of OpenAI's Codex.
    Codex,
    /// Cloudflare's code mode.
    Cloudflare,
}

/// A directory of the guest that the host provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount<'a> {
    /// The absolute guest path, without a trailing slash.
    pub path: &'a str,
    /// Whether the guest may change files in it.
    pub writable: bool,
}

/// Which globals a program starts with (`wit/runner.wit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Fresh globals.
    Fresh,
    /// The globals of the previous run.
    Session,
    /// The globals of the previous run, in a copy of its instance. Other copies may exist, so random generators that they
    /// share have to be seeded again.
    Copy,
    /// The globals of the previous run. The state after the program will be that of an image, in which other programs start.
    SetUp,
    /// The globals that the set-up of the image left, in a copy of its instance. The program is the only one of this instance.
    Warm,
}

/// How an interpreter exposes the body of an HTTP response (`wit/runner.wit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BodyRule {
    /// Decoded according to its content type.
    Auto,
    /// Always text.
    Text,
}

/// A global that is set before the program starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable<'a> {
    /// The name of the global, an identifier.
    pub name: &'a str,
    /// Its value as JSON.
    pub json: &'a str,
}

/// The result of `guest.run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish<'a> {
    /// The value of the program, if it has one.
    #[serde(borrow)]
    pub value: Option<Value<'a>>,
    /// The uncaught exception, if there is one.
    pub error: Option<ErrorReport<'a>>,
    /// 0 on success, 1 after an exception, or the code that the program passed to its exit function.
    pub exit_code: i32,
    /// Buffered console output that the guest has not sent yet.
    pub console: Vec<Output<'a>>,
}

/// The value of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value<'a> {
    /// The value as JSON, or its printed form as a JSON string.
    #[serde(borrow)]
    pub json: Payload<'a>,
    /// Whether `json` is the value itself rather than its printed form.
    pub exact: bool,
}

/// An uncaught exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport<'a> {
    /// The class of the exception, at most 256 bytes.
    pub kind: &'a str,
    /// The message; `guest-entry` cuts it at 64 KiB.
    pub message: &'a str,
    /// The line in the program, starting at 1.
    pub line: Option<u32>,
    /// The traceback as the language prints it; `guest-entry` cuts it at 1 MiB.
    #[serde(borrow)]
    pub traceback: Payload<'a>,
}
