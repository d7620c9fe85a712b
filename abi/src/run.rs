//! The beginning and the end of a run.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::{Payload, console::Output};

/// What a run starts with. It carries what nearly every program asks for, so that a short one hardly has to cross the wall:
/// randomness, the mounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start<'a> {
    /// The host's [`crate::VERSION`].
    pub version: u16,
    /// From the host's secure source, new for each run.
    pub seed: [u8; 32],
    /// Where files are; sorted by path.
    #[serde(borrow)]
    pub mounts: Vec<Mount<'a>>,
    /// The program, in UTF-8.
    pub code: Payload<'a>,
    /// How tracebacks call it.
    pub filename: &'a str,
    /// An encoded `Vec<Variable>`.
    pub variables: Payload<'a>,
    /// Fresh globals, or those of the run before.
    pub mode: Mode,
    /// What programs get as the body of an HTTP response.
    pub http_body: BodyRule,
}

/// A directory of the guest's that stands for one of the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount<'a> {
    /// Absolute, without a trailing slash.
    pub path: &'a str,
    /// Files in it may be changed.
    pub writable: bool,
}

/// See `wit/runner.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Fresh globals.
    Fresh,
    /// The globals of the run before.
    Session,
}

/// See `wit/runner.wit`.
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
    /// An identifier.
    pub name: &'a str,
    /// Its value as JSON.
    pub json: &'a str,
}

/// What a run ends with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finish<'a> {
    /// The value of the program, if it has one.
    #[serde(borrow)]
    pub value: Option<Value<'a>>,
    /// The exception that ended it, if one did.
    pub error: Option<ErrorReport<'a>>,
    /// 0, 1 after an exception, or what the program asked for.
    pub exit_code: i32,
    /// What the console still held.
    pub console: Vec<Output<'a>>,
}

/// The value of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value<'a> {
    /// As JSON.
    #[serde(borrow)]
    pub json: Payload<'a>,
    /// `json` is the value itself, not its printed form.
    pub exact: bool,
}

/// An exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport<'a> {
    /// Its class.
    pub kind: &'a str,
    /// What it says; clipped by the entry to 64 KiB.
    pub message: &'a str,
    /// Where in the program, from 1.
    pub line: Option<u32>,
    /// As the language prints it.
    #[serde(borrow)]
    pub traceback: Payload<'a>,
}
