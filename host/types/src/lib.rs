//! What a run returns, as plain data: [`ExecutionResult`] with the records of its host calls, [`Error`], and the names that
//! both use.
//!
//! Every crate of the host may know this one. It knows none of them: nothing here runs a program, reads a policy or opens a
//! file.

#![deny(missing_docs)]

mod budget;
mod call;
mod digest;
mod id;
mod isolation;
mod language;
mod limit_hit;
mod result;
mod secret;

pub use self::{
    budget::{BudgetState, BudgetUsage},
    call::{ApprovalOutcome, CallOutcome, CallRecord, CapabilityKind, HopOutcome, HopRecord, rfc3339},
    digest::{ArgumentsDigest, digest},
    id::{RunId, SessionId},
    isolation::{EngineName, Isolation, SelectedEngine},
    language::Language,
    limit_hit::{LimitHit, LimitName, Unit},
    result::{DirectoryEntry, Error, ExecutionResult, GuestError, OutputDirectory, OutputFile, Truncated, Usage},
    secret::Secret,
};
