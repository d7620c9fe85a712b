//! How the declared functions are called.

use isolette_types::{Dialect, Language, ToolCalls};

use crate::naming;

/// How the declared functions are called: the language, and the settings of the sandbox.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Style {
    /// The language of the declarations.
    pub language: Language,
    /// What calls return. With [`ToolCalls::Auto`], functions are declared with their results.
    pub tool_calls: ToolCalls,
    /// The names of the functions.
    pub dialect: Dialect,
}

impl Style {
    /// Makes the style of a sandbox with these settings.
    #[must_use]
    pub fn new(language: Language, tool_calls: ToolCalls, dialect: Dialect) -> Self {
        Self { language, tool_calls, dialect }
    }

    /// Returns whether calls return what a program awaits.
    #[must_use]
    pub fn is_asynchronous(self) -> bool {
        self.tool_calls == ToolCalls::Async || self.dialect.is_asynchronous()
    }

    /// Whether tools have names without namespaces: `github_create_issue`.
    pub(crate) fn is_flat(self) -> bool {
        self.dialect != Dialect::Isolette
    }

    /// The object that has the functions.
    pub(super) fn root(self) -> &'static str {
        match self.dialect {
            Dialect::Cloudflare => "codemode",
            _ => "tools",
        }
    }

    /// The name of a tool in this style.
    pub(crate) fn name(self, tool: &str) -> String {
        if self.is_flat() { naming::flat(tool) } else { tool.to_owned() }
    }
}

impl From<Language> for Style {
    fn from(language: Language) -> Self {
        Self::new(language, ToolCalls::Auto, Dialect::Isolette)
    }
}
