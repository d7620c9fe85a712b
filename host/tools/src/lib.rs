//! Tools: functions of the host with schemas, that a guest may call by name.
//!
//! - [`Tool`] is one function with its schemas; [`ToolSet`] are those of a source, such as an OpenAPI document.
//! - [`Tools`] are those of one sandbox, after the policy has chosen among them.
//! - [`catalog`] finds tools among many; [`declarations`] are their types as Python and TypeScript; [`naming`] makes names
//!   that both languages can write.
//!
//! It knows the types of results and the bounds on work. It knows no policy, no runtime, no engine, and no other crate of the
//! host.

#![deny(missing_docs)]

pub mod catalog;
mod counted;
pub mod declarations;
mod foreign;
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
mod validation;

pub use self::{
    function::InnerTool,
    hints::ToolHints,
    prepared::{Prepared, guarded},
    results::Strictness,
    set::{SkippedTool, ToolSet},
    text::clipped,
    tool::Tool,
    tools::Tools,
    validation::is_linear,
};
