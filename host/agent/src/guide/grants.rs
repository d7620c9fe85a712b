//! The texts about what programs are granted: files, network, limits, and the calls that need approval.

use std::fmt::Write as _;

use super::Guide;
use isolette::Language;
use isolette::policy::{Access, Approval, Limits, network::Network};
use isolette_policy::text::bytes;

/// Maximum number of rules that are listed; more would only fill the context of the model.
const RULES: usize = 30;

impl Guide {
    pub(super) fn approval(&self) -> String {
        match &self.policy.approval {
            Approval::Always => "Each program must be approved before it starts.\n".into(),
            Approval::PerCall => {
                "Each tool call and each request must be approved; a refused one raises an error.\n".into()
            }
            Approval::Never => {
                let needy: Vec<String> = self
                    .catalog
                    .tools()
                    .iter()
                    .filter(|tool| tool.needs_approval())
                    .take(RULES)
                    .map(|tool| format!("`{}`", tool.name()))
                    .collect();
                match needy.as_slice() {
                    [] => String::new(),
                    needy => {
                        format!("Each call of {} must be approved; a refused one raises an error.\n", needy.join(", "))
                    }
                }
            }
            _ => "Tool calls and requests may need approval; a refused one raises an error.\n".into(),
        }
    }

    pub(super) fn files(&self) -> String {
        let mut text = String::new();
        for mount in &self.policy.mounts {
            let access = match mount.access {
                Access::ReadOnly => "read-only",
                Access::ReadWrite => "read and write",
            };
            let _ = writeln!(text, "- {} ({access})", mount.guest);
        }
        if self.temporary_output {
            let when = if self.keeps_state { "session" } else { "call" };
            let _ = writeln!(text, "- /output (read and write; empty at the start of each {when})");
        }
        text.push_str("- /tmp (read and write; in memory)\n");
        if self.writes_output() {
            text.push_str("Files that a program makes or changes in /output are returned with its result.\n");
        }
        text
    }

    pub(super) fn network(&self) -> String {
        let (how, error) = match self.language {
            Language::Python => {
                let libraries = ["requests", "httpx"].into_iter().filter(|name| self.packages.contains_key(*name));
                let libraries: String = libraries.map(|name| format!("`{name}`, ")).collect();
                (format!("{libraries}`urllib.request` or `http_get(url)`"), "raises an error")
            }
            Language::JavaScript | Language::TypeScript => ("`fetch` or `http_get(url)`".to_owned(), "throws an error"),
            _ => ("what the component has for it".to_owned(), "fails"),
        };
        match &self.policy.network {
            Network::None => "- none: every request is denied\n".into(),
            Network::Web => format!("- GET and HEAD over https to every public address, with {how}\n"),
            Network::Full => format!("- every public address, with {how}\n"),
            Network::Allowlist(rules) => {
                let mut text = String::new();
                for rule in rules.iter().take(RULES) {
                    let methods = match rule.allowed_methods() {
                        [] => "all methods".to_owned(),
                        methods => methods.join(", "),
                    };
                    let _ = writeln!(text, "- {}: {methods}", rule.target());
                }
                if rules.len() > RULES {
                    let _ = writeln!(text, "- and {} more", rules.len() - RULES);
                }
                let _ = writeln!(text, "Ask with {how}. Any other request {error} that says what is allowed.");
                text
            }
        }
    }

    pub(super) fn limits(&self) -> String {
        let limits = &self.policy.limits;
        let time = if limits.timeout == Limits::UNLIMITED_TIME {
            "any amount of time".into()
        } else {
            format!("{:?} of time, waiting for the host included", limits.timeout)
        };
        let mut text = format!(
            "- {time}\n- {} of memory\n- {} of printed text, {} of value\n",
            size(limits.memory),
            size(limits.stdout),
            size(limits.value),
        );
        if !self.catalog.tools().is_empty() {
            let _ = writeln!(text, "- {} calls of tools", count(limits.tool_calls));
        }
        if self.policy.network != Network::None {
            let _ = writeln!(text, "- {} requests, {} each way", count(limits.http_requests), size(limits.http_body));
        }
        text
    }
}

/// Words for a size in bytes; an unlimited one is stated as such, because the largest number would mislead a model.
fn size(limit: u64) -> String {
    match limit {
        Limits::UNLIMITED => "any amount".into(),
        limit => bytes(limit),
    }
}

fn count(limit: u64) -> String {
    match limit {
        Limits::UNLIMITED => "any number of".into(),
        limit => limit.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use isolette::catalog::Catalog;
    use isolette::policy::Policy;

    fn guide(limits: Limits) -> Guide {
        let mut policy = Policy::default();
        (policy.limits, policy.network) = (limits, Network::Full);
        Guide {
            language: Language::Python,
            style: Language::Python.into(),
            packages: BTreeMap::new(),
            catalog: Catalog::new(Vec::new()),
            interfaces: Vec::new(),
            policy,
            temporary_output: false,
            variables: Vec::new(),
            keeps_state: false,
        }
    }

    #[test]
    fn limits_are_written_in_meaningful_numbers() {
        let text = guide(Limits::default()).limits();
        assert!(text.starts_with("- 30s of time, waiting for the host included\n- 256 MiB of memory\n"), "{text}");
        let mut limits = Limits::default();
        limits.timeout = Limits::UNLIMITED_TIME;
        (limits.stdout, limits.http_requests) = (Limits::UNLIMITED, Limits::UNLIMITED);
        let text = guide(limits).limits();
        assert!(text.starts_with("- any amount of time\n"), "{text}");
        assert!(text.contains("- any amount of printed text, 1 MiB of value\n- any number of requests, "), "{text}");
        assert!(!text.contains("1844"), "{text}");
    }
}
