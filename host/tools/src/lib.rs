//! Tools: functions of the host with schemas, which a guest may call by name.
//!
//! - [`Tool`] is one function with its schemas; [`ToolSet`] is the tools of one source, such as an OpenAPI document.
//! - [`Tools`] is the tools of one sandbox, after the policy has selected them.
//! - [`catalog`] searches many tools; [`declarations`] renders their types as Python and TypeScript; [`naming`] makes
//!   names that both languages can write.
//!
//! Arguments and results are JSON with integers of 64 bits. An argument that is a larger integer, or a number beyond the largest
//! double, is [`ToolError::InvalidArguments`](isolette_abi::tools::ToolError::InvalidArguments) with its place, since its digits would
//! be lost; and so is an integer of 128 bits in a result ([`ToolError::Failed`](isolette_abi::tools::ToolError::Failed)).
//!
//! The crate depends on the types of results, the bounds on work, the errors of tools in the ABI, the names of interfaces, and on
//! Tokio for functions that block. It depends on no policy, no engine, and no other crate of the host.

#![deny(missing_docs)]

pub mod catalog;
mod counted;
pub mod declarations;
mod function;
mod hints;
pub mod naming;
mod prepared;
mod results;
mod schema;
mod sentences;
mod set;
mod text;
mod tool;
mod tools;
mod untrusted;
mod validation;

pub use self::{
    function::Next,
    hints::ToolHints,
    prepared::{Prepared, guarded},
    results::Strictness,
    set::{SkipReason, SkippedTool, ToolSet},
    text::clipped,
    tool::Tool,
    tools::Tools,
    validation::is_linear,
};
