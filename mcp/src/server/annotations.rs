//! The annotations of tools that clients get, derived from the policy.

use isolette::{
    Explanation,
    policy::{Access, network::Network},
};
use rmcp::model::ToolAnnotations;

/// Annotations of a tool that runs programs. Any callable tool makes it open-world and not read-only, whatever
/// annotations that tool itself has. A sandbox that keeps state is never read-only either, because the effects of
/// programs persist in it.
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

/// Annotations of a tool that only returns information.
pub(crate) fn reading() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false)
}

/// Annotations of a tool that only changes the client's own sandboxes.
pub(crate) fn keeping(destructive: bool, idempotent: bool) -> ToolAnnotations {
    ToolAnnotations::new().read_only(false).destructive(destructive).idempotent(idempotent).open_world(false)
}
