//! What clients are told to expect of the tools, as far as the policy makes it so.

use isolette::{
    Explanation,
    policy::{Access, network::Network},
};
use rmcp::model::ToolAnnotations;

/// Of a tool that runs programs. What programs may call is held against it whatever those tools say of themselves: their
/// word decides nothing. Nor is a program harmless that goes on in a sandbox where others have been: what it does there stays.
pub(crate) fn running<'a>(explanations: impl Iterator<Item = &'a Explanation>, keeps_state: bool) -> ToolAnnotations {
    let (mut writes, mut reaches) = (false, false);
    for explanation in explanations {
        let policy = &explanation.policy;
        writes |= policy.mounts.iter().any(|mount| mount.access == Access::ReadWrite);
        reaches |= !policy.tools.is_empty()
            || !policy.capabilities.served.is_empty()
            || !matches!(policy.network, Network::None);
    }
    let harmless = !writes && !reaches && !keeps_state;
    ToolAnnotations::new().read_only(harmless).destructive(!harmless).idempotent(harmless).open_world(reaches)
}

/// Of a tool that only tells something.
pub(crate) fn telling() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false)
}

/// Of a tool that changes the client's own sandboxes and nothing else.
pub(crate) fn keeping(destructive: bool, idempotent: bool) -> ToolAnnotations {
    ToolAnnotations::new().read_only(false).destructive(destructive).idempotent(idempotent).open_world(false)
}
