//! Describes the custom interfaces of the embedder, as modules that a program can import.

use std::fmt::Write as _;

use super::Guide;
use isolette_tools::declarations::{import_of, of_interface};

/// Maximum length of the declarations that are given in full, in bytes; other interfaces are only summarized.
const DECLARED: usize = 16 << 10;

impl Guide {
    /// Returns an empty text if there are no interfaces.
    pub(super) fn modules(&self) -> String {
        if self.interfaces.is_empty() {
            return String::new();
        }
        let mut text = "\nModules:\n".to_owned();
        let mut room = DECLARED;
        for interface in &self.interfaces {
            let import = import_of(interface, self.language);
            let declaration = of_interface(interface, self.language);
            match room.checked_sub(declaration.len()) {
                Some(left) => {
                    room = left;
                    let _ = write!(text, "- `{import}`\n```\n{declaration}```\n");
                }
                None => {
                    let _ = writeln!(text, "- `{import}`: {}", interface.summary());
                }
            }
        }
        if !self.policy.capabilities.allow.is_empty() {
            let rules: Vec<_> = self.policy.capabilities.allow.iter().map(|rule| format!("`{rule}`")).collect();
            let _ = writeln!(text, "Of these may be called only: {}.", rules.join(", "));
        }
        text
    }
}
