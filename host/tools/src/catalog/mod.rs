//! Search over many tools: by name or by words, with a selectable amount of detail for each tool.
//!
//! A model with a thousand tools cannot read a thousand schemas. It searches, looks at a few names, and requests
//! details of the tools that fit. A catalog only returns information: which tools may be called is decided by the
//! embedder who registers them, and by the policy.

mod index;
mod parameters;
mod query;
mod words;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use self::{index::Index, words::fold};
pub use self::{
    parameters::parameters,
    query::{Detail, MissingTool, SearchQuery, SearchResults, ToolDetails, ToolSchemas},
};
pub use crate::declarations::Style;
use crate::{Tool, ToolSet, declarations};
pub use isolette_work::nearest;

/// Maximum number of similar names that are suggested for an unknown name.
const SUGGESTIONS: usize = 3;

/// Maximum number of tags of a query that are used.
const TAGS: usize = 32;

/// Maximum number of unknown names for which suggestions are made, and of names that are looked up in one request.
const SUGGESTED: usize = 100;
const NAMES: usize = 10_000;

/// A searchable copy of the tools of a sandbox or of a source.
///
/// Tools that are added to a set later are not in the catalog. A search is cheap; creating a catalog costs about as
/// much as reading every description once. Clones share the same catalog.
///
/// ```
/// use isolette::{Tool, catalog::{Catalog, Detail, SearchQuery}};
///
/// let schema = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
/// let weather = Tool::from_schema("weather.forecast", "Forecasts the weather", schema, |city| Ok::<_, String>(city))?;
/// let catalog = Catalog::new(vec![weather]);
///
/// let found = catalog.search(&SearchQuery::new("forecasting weather").detail(Detail::Detailed));
/// assert_eq!(found.tools[0].name, "weather.forecast");
/// assert_eq!(found.tools[0].parameters.as_deref(), Some("- city (string, required)"));
/// # Ok::<(), isolette::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    tools: Arc<[Tool]>,
    by_name: Arc<HashMap<String, usize>>,
    index: Arc<Index>,
}

impl Catalog {
    /// Creates a catalog of `tools` in their order. If two tools have the same name, lookups by name return the first
    /// one.
    #[must_use]
    pub fn new(tools: impl Into<Arc<[Tool]>>) -> Self {
        let tools = tools.into();
        let mut by_name = HashMap::with_capacity(tools.len());
        for (position, tool) in tools.iter().enumerate() {
            by_name.entry(tool.name().to_owned()).or_insert(position);
        }
        let index = Arc::new(Index::new(&tools));
        Self { tools, by_name: Arc::new(by_name), index }
    }

    /// Returns the tools in their original order.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Returns the tool with exactly this name, or `None`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.by_name.get(name).map(|position| &self.tools[*position])
    }

    /// Returns names of tools that are similar to `name`, best first; at most three.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Vec<String> {
        let names = nearest(name, self.tools.iter().map(Tool::name), SUGGESTIONS);
        names.into_iter().map(str::to_owned).collect()
    }

    /// Searches the tools. Results are ordered best first; tools with equal scores keep their order; tools without a
    /// match are left out.
    ///
    /// The score of a word of the query depends on where the word occurs: as the whole name (100), in the name (30), in
    /// the description (10), as the name of a parameter (8), in a parameter's description (4), in a tag (3). Words are
    /// compared by their stems (`issues` finds `issue`). A word that occurs in no tool matches words that begin with it
    /// or are spelled nearly like it, for half the score. Words such as `the` and `for` are ignored if the query has
    /// other words.
    ///
    /// The work of one search is bounded for any query and any tools: at most 32 words of the query, 2,000 words of
    /// each text of a tool, 64 bytes per word, and 32 tags are used. If that does not suffice (with some 500,000
    /// different words that are nearly the same), words that are not in the index match only what was compared before
    /// the step limit.
    ///
    /// A query without words matches every tool, in their order.
    #[must_use]
    pub fn search(&self, query: &SearchQuery) -> SearchResults {
        let wanted: HashSet<String> = query.tags.iter().take(TAGS).map(|tag| fold(tag)).collect();
        let has_tag = |position: &usize| {
            wanted.is_empty() || self.tools[*position].tags().iter().any(|tag| wanted.contains(&fold(tag)))
        };
        let ranked: Vec<usize> = self.index.rank(&query.text).into_iter().filter(has_tag).collect();
        let tools = ranked.iter().take(query.limit);
        SearchResults {
            tools: tools.map(|position| ToolDetails::of(&self.tools[*position], query.detail)).collect(),
            total: ranked.len(),
        }
    }

    /// Returns details of the tools with the given names, in the order of the names, each tool once. Upper and lower
    /// case are not distinguished where the result is unambiguous. Unknown names are returned in [`ToolSchemas`] as
    /// missing; the first 100 of them with similar names. At most 10,000 names are looked up; further names are
    /// ignored.
    #[must_use]
    pub fn schemas<N: AsRef<str>>(&self, names: &[N], detail: Detail) -> ToolSchemas {
        let mut schemas = ToolSchemas::default();
        let mut seen = HashSet::new();
        let mut missing = HashSet::new();
        for name in names.iter().take(NAMES).map(AsRef::as_ref) {
            match self.find_by_name(name) {
                Some(tool) if seen.insert(tool.name()) => schemas.tools.push(ToolDetails::of(tool, detail)),
                Some(_) => {}
                None if !missing.insert(name) => {}
                None => {
                    let nearest = if missing.len() <= SUGGESTED { self.nearest(name) } else { Vec::new() };
                    schemas.missing.push(MissingTool { name: name.to_owned(), nearest });
                }
            }
        }
        schemas
    }

    fn find_by_name(&self, name: &str) -> Option<&Tool> {
        self.get(name).or_else(|| {
            let mut alike = self.tools.iter().filter(|tool| tool.name().eq_ignore_ascii_case(name));
            match (alike.next(), alike.next()) {
                (Some(tool), None) => Some(tool),
                _ => None,
            }
        })
    }

    /// Returns all tools as typed functions: the text of a Python stub (`.pyi`), or of a TypeScript declaration
    /// (`.d.ts`), which is also used for JavaScript. A [`Style`] has the settings of a sandbox besides the language.
    #[must_use]
    pub fn declarations(&self, style: impl Into<Style>) -> String {
        declarations::declare(&self.tools, style)
    }
}

impl From<ToolSet> for Catalog {
    fn from(set: ToolSet) -> Self {
        Self::new(set.tools)
    }
}

#[cfg(test)]
mod tests;
