//! The tools that a server lists, within limits, and the memory reserved for them.

use isolette::values::{Reservation, value_bytes};
use rmcp::model::Tool;

/// Maximum number of tools of one server.
const TOOLS: usize = 2_000;

/// Maximum size of all tools as JSON, in bytes.
const LISTING: usize = 32 << 20;

#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Each tool with the bytes that its values take.
    tools: Vec<(Tool, u64)>,
    /// Size of all tools as JSON, in bytes.
    bytes: usize,
    room: Reservation,
    /// The server lists more tools than are accepted.
    pub(super) more: bool,
}

impl Listed {
    /// Adds a page of the listing. The error is the reason why the server cannot be used.
    pub(super) fn add(&mut self, part: Vec<Tool>) -> Result<(), String> {
        for tool in part {
            if self.tools.len() == TOOLS {
                self.more = true;
                break;
            }
            let text = serde_json::to_vec(&tool).map_err(|error| error.to_string())?;
            self.bytes = self.bytes.saturating_add(text.len());
            if self.bytes > LISTING {
                return Err(format!("its tools take more than {LISTING} bytes to list"));
            }
            let bytes = value_bytes(&text);
            self.room.grow(bytes).map_err(|why| format!("its tools cannot be listed: {why}"))?;
            self.tools.push((tool, bytes));
        }
        Ok(())
    }

    /// Returns the tools whose names are wanted, and the memory reserved for them.
    pub(super) fn wanted(mut self, wants: impl Fn(&str) -> bool) -> (Vec<Tool>, Reservation) {
        self.tools.retain(|(tool, _)| wants(&tool.name));
        self.room.shrink_to(self.tools.iter().map(|(_, bytes)| bytes).sum());
        (self.tools.into_iter().map(|(tool, _)| tool).collect(), self.room)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, schema: serde_json::Value) -> Tool {
        serde_json::from_value(json!({ "name": name, "inputSchema": { "type": "object", "x": schema } })).unwrap()
    }

    #[test]
    fn only_tools_that_are_wanted_are_counted() {
        let (first, second) = (tool("first", json!([1, 2, 3])), tool("second", json!("a")));
        let bytes = value_bytes(&serde_json::to_vec(&second).unwrap());
        let mut listed = Listed::default();
        listed.add(vec![first]).unwrap();
        listed.add(vec![second]).unwrap();
        assert!(listed.room.bytes() > 2 * bytes);
        let (tools, room) = listed.wanted(|name| name == "second");
        assert_eq!((tools.len(), room.bytes()), (1, bytes));
    }

    #[test]
    fn a_listing_has_limits() {
        let mut listed = Listed::default();
        let why = listed.add(vec![tool("many", json!(vec![0; 1_000_000]))]).unwrap_err();
        assert!(why.starts_with("its tools cannot be listed: it would take ") && why.contains("are allowed"), "{why}");
        let why = listed.add(vec![tool("long", json!("x".repeat(LISTING)))]).unwrap_err();
        assert_eq!(why, "its tools take more than 33554432 bytes to list");
        let mut listed = Listed::default();
        listed.add((0..=TOOLS).map(|number| tool(&number.to_string(), json!(1))).collect()).unwrap();
        assert!(listed.more && listed.tools.len() == TOOLS);
    }
}
