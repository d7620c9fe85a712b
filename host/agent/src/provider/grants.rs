//! What programs are currently granted.

use isolette::Tool;
use isolette::policy::{Mount, network::Rule};
use isolette::{Sandbox, SandboxBuilder};

#[derive(Default)]
pub(super) struct Grants {
    pub(super) tools: Vec<Tool>,
    pub(super) mounts: Vec<Mount>,
    pub(super) domains: Vec<Rule>,
    /// Built from these grants; `None` after a change.
    pub(super) sandbox: Option<Sandbox>,
}

impl Grants {
    /// Adds all grants to a builder.
    pub(super) fn to(&self, mut builder: SandboxBuilder) -> SandboxBuilder {
        for tool in &self.tools {
            builder = builder.tool(tool.clone());
        }
        for mount in &self.mounts {
            builder = builder.mount_from(mount.clone());
        }
        for rule in &self.domains {
            builder = builder.allow_rule(rule.clone());
        }
        builder
    }
}

/// Replaces the element that is the same, or appends the new one.
pub(super) fn put<T>(list: &mut Vec<T>, new: T, same: impl Fn(&T, &T) -> bool) {
    match list.iter_mut().find(|old| same(old, &new)) {
        Some(old) => *old = new,
        None => list.push(new),
    }
}
