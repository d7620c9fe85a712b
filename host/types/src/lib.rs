//! The data that a run returns: [`ExecutionResult`] with the records of its host calls, [`Error`], and the names that
//! both use.
//!
//! Every crate of the host may depend on this one, and it depends on none of them. It does not run programs, read
//! policies or open files.

#![deny(missing_docs)]

mod budget;
mod call;
mod call_mode;
mod dialect;
mod digest;
mod id;
mod image_name;
mod isolation;
mod json_line;
mod language;
mod limit_hit;
mod limit_table;
mod pause;
mod result;
mod secret;
mod tool_calls;

pub use self::{
    budget::{BudgetState, BudgetUsage},
    call::{ApprovalOutcome, CallOutcome, CallRecord, CapabilityKind, HopOutcome, HopRecord, rfc3339},
    call_mode::{CallMode, CallModes, ChosenMode},
    dialect::Dialect,
    digest::{ArgumentsDigest, digest},
    id::{RunId, SessionId},
    image_name::is_image_name,
    isolation::{EngineName, Isolation, SelectedEngine},
    json_line::{JsonLineStream, json_line, write_json_line},
    language::Language,
    limit_hit::{LimitHit, LimitName, Unit},
    pause::{Answer, Asks, PausedCall},
    result::{
        BusyReason, DirectoryEntry, Error, ExecutionResult, GuestError, OutputDirectory, OutputFile, Truncated, Usage,
    },
    secret::Secret,
    tool_calls::ToolCalls,
};
