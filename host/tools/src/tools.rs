//! The tools of one sandbox.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use isolette_abi::tools::ToolError;
use isolette_types::Error;
use isolette_work::nearest;
use wildmatch::WildMatch;

use crate::{Tool, catalog::Catalog, declarations::Style};

/// Maximum number of names listed in an error, to save a model's context, and of similar names suggested.
const NAMES_LISTED: usize = 50;
const NAMES_SUGGESTED: usize = 3;

/// The tools of a sandbox, in the order of their registration.
#[derive(Debug)]
pub struct Tools {
    style: Style,
    tools: Arc<[Tool]>,
    by_name: HashMap<String, usize>,
    /// Patterns of the policy. Each tool matches one, unless there are no patterns.
    patterns: Vec<(String, WildMatch)>,
    /// Created when a program searches for the first time; most programs never search.
    catalog: OnceLock<Catalog>,
}

impl Tools {
    /// Creates the tools of a sandbox whose programs call them in this style. `patterns` are the patterns of the policy that
    /// the names match.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if two tools have the same name, or the same one in the dialect.
    pub fn new(tools: Vec<Tool>, patterns: &[String], style: Style) -> Result<Self, Error> {
        let mut by_name = HashMap::with_capacity(tools.len());
        let mut in_dialect = HashMap::new();
        for (position, tool) in tools.iter().enumerate() {
            if by_name.insert(tool.name().to_owned(), position).is_some() {
                return Err(Error::invalid(
                    format!("there are two tools named `{}`", tool.name()),
                    "give each tool a name of its own",
                ));
            }
        }
        for tool in tools.iter().filter(|_| style.is_flat()) {
            if let Some(other) = in_dialect.insert(style.name(tool.name()), tool.name()) {
                return Err(Error::invalid(
                    format!(
                        "the tools `{other}` and `{}` are both `{}` in the dialect `{}`",
                        tool.name(),
                        style.name(tool.name()),
                        style.dialect
                    ),
                    "rename one of them, or leave it out with `tools` in the policy",
                ));
            }
        }
        let patterns = patterns.iter().map(|pattern| (pattern.clone(), WildMatch::new(pattern))).collect();
        Ok(Self { style, tools: tools.into(), by_name, patterns, catalog: OnceLock::new() })
    }

    /// Iterates over all tools in the order of their registration.
    pub fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }

    /// Returns the pattern of the policy that allows a tool, or `None` if the policy has no patterns.
    pub fn pattern(&self, name: &str) -> Option<&str> {
        self.patterns.iter().find(|(_, matcher)| matcher.matches(name)).map(|(pattern, _)| pattern.as_str())
    }

    /// How programs call the tools.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The searchable catalog of these tools.
    pub fn catalog(&self) -> &Catalog {
        self.catalog.get_or_init(|| Catalog::new(Arc::clone(&self.tools)))
    }

    /// Returns the tool with this name.
    ///
    /// # Errors
    /// [`ToolError::UnknownTool`] with similar names.
    pub fn find(&self, name: &str) -> Result<&Tool, ToolError> {
        let found = self.by_name.get(name).map(|position| &self.tools[*position]);
        found.ok_or_else(|| ToolError::UnknownTool(self.unknown(name)))
    }

    fn unknown(&self, name: &str) -> String {
        let meant = nearest(name, self.iter().map(Tool::name), NAMES_SUGGESTED);
        let names: Vec<&str> = self.iter().take(NAMES_LISTED).map(Tool::name).collect();
        let more = self.tools.len().saturating_sub(names.len());
        let suggestion = match meant.as_slice() {
            [] => String::new(),
            meant => format!("\nhint: did you mean {}?", quoted(meant, " or ")),
        };
        match (names.as_slice(), more) {
            ([], _) => format!("unknown tool: {name} (this run has no tools)"),
            (names, 0) => format!("unknown tool: {name} (there are: {}){suggestion}", names.join(", ")),
            (names, more) if meant.is_empty() => format!(
                "unknown tool: {name} (there are: {} and {more} more)\nhint: search for the others",
                names.join(", ")
            ),
            _ => format!("unknown tool: {name} (there are {}){suggestion}", self.tools.len()),
        }
    }
}

fn quoted(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}
