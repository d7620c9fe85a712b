//! Tells a model what a sandbox can do, from the policy that is in effect.
//!
//! Paths of the host never appear here, and nothing that is not enforced.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{EXECUTE_CODE, listing};
use crate::{
    Language, Sandbox,
    catalog::Catalog,
    policy::text::bytes,
    policy::{Access, Approval, Policy, network::Network},
};

/// Rules that are listed; more would only fill a model's context.
const RULES: usize = 30;

/// What can be told about one sandbox.
///
/// The texts are the same for the same sandbox, so that they can be cached.
#[derive(Clone, Debug)]
pub struct Guide {
    language: Language,
    packages: BTreeMap<String, String>,
    catalog: Catalog,
    policy: Policy,
    temporary_output: bool,
    variables: Vec<String>,
    keeps_state: bool,
}

impl Guide {
    /// About a sandbox whose runs start clean.
    #[must_use]
    pub fn new(sandbox: &Sandbox) -> Self {
        let explanation = sandbox.explain();
        Self {
            language: explanation.language,
            packages: sandbox.shared.image.manifest().packages.clone(),
            catalog: sandbox.catalog().clone(),
            policy: explanation.policy,
            temporary_output: explanation.temporary_output,
            variables: explanation.variables,
            keeps_state: false,
        }
    }

    /// About sessions of the sandbox, which keep names and files from call to call.
    #[must_use]
    pub fn of_session(mut self) -> Self {
        self.keeps_state = true;
        self
    }

    /// For a system prompt: when to write a program.
    #[must_use]
    pub fn instructions(&self, tools_visible_to_model: bool) -> String {
        let language = self.language_name();
        let mut text = format!(
            "You have one primary tool: `{EXECUTE_CODE}`. It runs a {language} program in a sandbox. Do as much as you can \
             in one program: loops, several calls of tools, filtering and arithmetic belong into it, and only what you \
             need to see should come back.\n"
        );
        if !self.catalog.tools().is_empty() {
            text.push_str(match tools_visible_to_model {
                true => {
                    "You can also call the tools directly. Do so for a single call whose whole result you need; for \
                     anything more, call them from a program.\n"
                }
                false => {
                    "The tools that its description names can only be called from inside a program; you cannot call \
                     them directly.\n"
                }
            });
        }
        text.push_str(&self.ending());
        text.push_str(&self.state());
        if self.writes_output() {
            text.push_str("Write files that the user should get to `/output/<filename>`.\n");
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// For the description of the tool: all that a program can use.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = format!("Runs a {} program in a sandbox.\n", self.language_name());
        text.push_str(&self.interpreter());
        text.push_str(&self.state());
        text.push_str(&self.ending());
        text.push_str(&self.globals());
        let _ = write!(text, "\nTools:\n{}", listing::tools(&self.catalog, self.language));
        text.push_str(&self.approval());
        let _ = write!(text, "\nFiles:\n{}", self.files());
        let _ = write!(text, "\nNetwork:\n{}", self.network());
        let _ = write!(text, "\nLimits of each call:\n{}", self.limits());
        text.truncate(text.trim_end().len());
        text
    }

    /// How programs are written, with examples: what a model reads that has other tools to find tools with.
    #[must_use]
    pub fn syntax(&self) -> String {
        let mut text = self.description();
        let example = self.example();
        let _ = write!(text, "\n\nExample:\n```{}\n{example}\n```", self.language.name());
        text
    }

    fn language_name(&self) -> &'static str {
        match self.language {
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::TypeScript => "TypeScript",
        }
    }

    fn interpreter(&self) -> String {
        match self.language {
            Language::Python => {
                let packages: Vec<String> =
                    self.packages.iter().map(|(name, version)| format!("{name} {version}")).collect();
                let packages = match packages.as_slice() {
                    [] => String::new(),
                    packages => format!(" and these packages: {}", packages.join(", ")),
                };
                format!(
                    "The interpreter is CPython 3.14 with its standard library{packages}. Nothing can be installed. There \
                     are no threads, processes or sockets.\n"
                )
            }
            Language::JavaScript | Language::TypeScript => {
                let types = match self.language {
                    Language::TypeScript => " Types are removed before the program runs and are not checked.",
                    _ => "",
                };
                format!(
                    "The engine is QuickJS (ES2023) with the usual web APIs (fetch, URL, TextEncoder, structuredClone) and \
                     some modules of Node (fs, path, util). Nothing can be installed. There are no threads, processes or \
                     sockets. `await` works at the top level.{types}\n"
                )
            }
        }
    }

    fn ending(&self) -> String {
        match self.language {
            Language::Python => {
                "The call returns the global `result` if the program sets it, else the value of its last expression, and \
                 what it prints.\n"
            }
            Language::JavaScript | Language::TypeScript => {
                "The call returns the global `result` if the program sets it, else what a top-level `return` gives, else \
                 the value of its last expression, and what it writes to the console.\n"
            }
        }
        .to_owned()
    }

    fn state(&self) -> String {
        match self.keeps_state {
            true => "Names, imports and files in /tmp are still there in the next call of the same session.\n",
            false => "Every call starts anew: no names, imports or files in /tmp remain from earlier ones.\n",
        }
        .to_owned()
    }

    fn globals(&self) -> String {
        match self.variables.as_slice() {
            [] => String::new(),
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("These globals are set: {}.\n", names.join(", "))
            }
        }
    }

    fn approval(&self) -> String {
        match &self.policy.approval {
            Approval::Always => "Somebody has to agree to each program before it starts.\n".into(),
            Approval::PerCall => {
                "Somebody has to agree to each call of a tool and to each request; one that is refused raises an error.\n"
                    .into()
            }
            Approval::Rules(_) => {
                "Somebody may have to agree to calls of tools and to requests; one that is refused raises an error.\n"
                    .into()
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
                    needy => format!(
                        "Somebody has to agree to each call of {}; one that is refused raises an error.\n",
                        needy.join(", ")
                    ),
                }
            }
        }
    }

    fn writes_output(&self) -> bool {
        let output = |mount: &crate::policy::Mount| mount.guest == "/output" && mount.access == Access::ReadWrite;
        self.temporary_output || self.policy.mounts.iter().any(output)
    }

    fn files(&self) -> String {
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
            text.push_str("Files in /output are returned with the result.\n");
        }
        text
    }

    fn network(&self) -> String {
        let (how, error) = match self.language {
            Language::Python => {
                let libraries = ["requests", "httpx"].into_iter().filter(|name| self.packages.contains_key(*name));
                let libraries: String = libraries.map(|name| format!("`{name}`, ")).collect();
                (format!("{libraries}`urllib.request` or `http_get(url)`"), "raises an error")
            }
            Language::JavaScript | Language::TypeScript => ("`fetch` or `http_get(url)`".to_owned(), "throws an error"),
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

    fn limits(&self) -> String {
        let limits = &self.policy.limits;
        let mut text = format!(
            "- {:?} of time, waiting for the host included\n- {} of memory\n- {} of printed text, {} of value\n",
            limits.wall_time,
            bytes(limits.memory),
            bytes(limits.stdout),
            bytes(limits.value),
        );
        if !self.catalog.tools().is_empty() {
            let _ = writeln!(text, "- {} calls of tools", limits.tool_calls);
        }
        if self.policy.network != Network::None {
            let _ = writeln!(text, "- {} requests, {} each way", limits.http_requests, bytes(limits.http_body));
        }
        text
    }

    fn example(&self) -> String {
        match (self.language, self.variables.iter().any(|name| name == "BASE_URL")) {
            (Language::Python, true) => {
                "response = http_get(f\"{BASE_URL}/items\", params={\"page\": 1})\n\
                 if not response[\"ok\"]:\n    raise RuntimeError(f\"status {response['status']}\")\n\
                 result = [item[\"name\"] for item in response[\"json\"]]"
            }
            (Language::Python, false) => {
                "numbers = [3, 1, 2]\nresult = {\"largest\": max(numbers), \"sorted\": sorted(numbers)}"
            }
            (_, true) => {
                "const response = http_get(`${BASE_URL}/items?page=1`);\n\
                 if (!response.ok) throw new Error(`status ${response.status}`);\n\
                 result = response.json.map((item) => item.name);"
            }
            (_, false) => {
                "const numbers = [3, 1, 2];\nresult = { largest: Math.max(...numbers), sorted: numbers.toSorted() };"
            }
        }
        .to_owned()
    }
}
