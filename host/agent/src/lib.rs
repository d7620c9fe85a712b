//! For agents: one tool, `execute_code`, with which a model writes a program in place of many calls.
//!
//! [`CodeActProvider`] keeps what programs are lent and makes a sandbox of it for each run. [`Guide`] tells a model what
//! a sandbox can do. [`rendering`] makes text for a model of what came back.
//!
//! Nothing here decides what is allowed. Texts are made of the policy that is in effect, and never claim more.

mod guide;
mod listing;
mod output;
mod provider;
pub mod rendering;

pub use self::{guide::Guide, output::OutputLimits, provider::CodeActProvider};

/// The name of the one tool.
pub const EXECUTE_CODE: &str = "execute_code";
