//! Writes the texts that describe a sandbox to a model, from the policy in effect.
//!
//! The texts contain no paths of the host, and only state what is enforced.

mod grants;
mod language;
mod modules;

use std::{collections::BTreeMap, fmt::Write as _};

use isolette_interface::Interface;

use super::{EXECUTE_CODE, listing};
use isolette::Language;
use isolette::Sandbox;
use isolette::catalog::{Catalog, Style};
use isolette::policy::{Access, Policy};

/// Describes one sandbox to a model.
///
/// The texts are the same each time for the same sandbox, so that they can be cached.
#[derive(Clone, Debug)]
pub struct Guide {
    language: Language,
    style: Style,
    packages: BTreeMap<String, String>,
    catalog: Catalog,
    interfaces: Vec<Interface>,
    policy: Policy,
    temporary_output: bool,
    variables: Vec<String>,
    keeps_state: bool,
}

impl Guide {
    /// Describes a sandbox whose runs start clean.
    #[must_use]
    pub fn new(sandbox: &Sandbox) -> Self {
        let explanation = sandbox.explain();
        Self {
            language: explanation.language,
            style: Style::new(explanation.language, explanation.tool_calls, explanation.dialect),
            packages: sandbox.image().manifest().packages.clone(),
            catalog: sandbox.catalog().clone(),
            interfaces: sandbox.capabilities().map(|one| one.interface().clone()).collect(),
            policy: explanation.policy,
            temporary_output: explanation.temporary_output,
            variables: explanation.variables,
            keeps_state: false,
        }
    }

    /// Describes sessions of the sandbox, which keep names and files from call to call.
    #[must_use]
    pub fn of_session(mut self) -> Self {
        self.keeps_state = true;
        self
    }

    /// Returns the text for a system prompt: when to write a program. `tools_visible_to_model` says whether the model
    /// can also call the tools directly.
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

    /// Returns the description of the tool `execute_code`: everything that a program can use.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = format!("Runs a {} program in a sandbox.\n", self.language_name());
        text.push_str(&self.interpreter());
        text.push_str(&self.state());
        text.push_str(&self.ending());
        text.push_str(&self.globals());
        let _ = write!(text, "\nTools:\n{}", listing::tools(&self.catalog, self.style));
        text.push_str(&self.approval());
        text.push_str(&self.modules());
        let _ = write!(text, "\nFiles:\n{}", self.files());
        let _ = write!(text, "\nNetwork:\n{}", self.network());
        let _ = write!(text, "\nLimits of each call:\n{}", self.limits());
        text.truncate(text.trim_end().len());
        text
    }

    /// Returns the description with an example program, for models that find tools by searching.
    #[must_use]
    pub fn syntax(&self) -> String {
        let mut text = self.description();
        let example = self.example();
        let _ = write!(text, "\n\nExample:\n```{}\n{example}\n```", self.language.name());
        text
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

    fn writes_output(&self) -> bool {
        let output = |mount: &isolette::policy::Mount| mount.guest == "/output" && mount.access == Access::ReadWrite;
        self.temporary_output || self.policy.mounts.iter().any(output)
    }
}
