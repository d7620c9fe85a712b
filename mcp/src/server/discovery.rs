//! Finding out what programs may call.
use rmcp::model::{CallToolResult, Tool};
use super::{Shared, outcome::Failure};
pub(super) fn tools() -> Vec<Tool> { Vec::new() }
impl Shared {
    pub(super) fn instructions(&self) -> String { "Runs programs".into() }
    pub(super) fn execute_code_description(&self) -> String { "Runs a program".into() }
    pub(super) fn search(&self, _: super::sessions::Nothing) -> Result<CallToolResult, Failure> { Err(Failure::new("x","x","x")) }
    pub(super) fn get_schema(&self, _: super::sessions::Nothing) -> Result<CallToolResult, Failure> { Err(Failure::new("x","x","x")) }
    pub(super) fn get_execute_syntax(&self, _: super::sessions::Nothing) -> CallToolResult { CallToolResult::default() }
}
