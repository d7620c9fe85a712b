//! Support for agents: the tool `execute_code`, with which a model writes a program instead of making many tool calls.
//!
//! [`CodeActProvider`] manages what programs are granted and builds the sandbox for each run. [`Guide`] writes the
//! texts that describe a sandbox to a model. [`rendering`] turns results into text for a model.
//!
//! This crate depends on the crate `isolette`, and on tools, policies and interfaces to describe them. It knows no protocol and no
//! server. It makes no policy decisions. Its texts are generated from the policy in effect, and never claim more than
//! it allows.

mod calling;
mod guide;
mod listing;
mod output;
mod provider;
pub mod rendering;

pub use self::{guide::Guide, output::OutputLimits, provider::CodeActProvider};

/// The name of the tool.
pub const EXECUTE_CODE: &str = "execute_code";
