//! Finding tools among many: by name, by search, and with as much about each as the reader wants.
//!
//! A model that has a thousand tools cannot read a thousand schemas. It searches, looks at a few names, and asks for
//! what it needs of those that fit. Catalogues only tell: what may be called is decided by whoever lends the tools.

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
use crate::{Tool, ToolSet, declarations};
use isolette_types::Language;
pub use isolette_work::nearest;

/// Names that are suggested for one that there is not.
const SUGGESTIONS: usize = 3;

/// Tags of a query that count.
const TAGS: usize = 32;

/// Names that there are not for which others are suggested, and names that are looked at in all.
const SUGGESTED: usize = 100;
const NAMES: usize = 10_000;

/// The tools of a sandbox or of a source, searchable.
///
/// It is a copy: tools that are added to a set later are not in it. To search is cheap; to make one costs about as much as
/// reading every description once. A clone is the same catalogue.
///
/// ```
/// use isolette::{Tool, catalog::{Catalog, Detail, SearchQuery}};
///
/// let schema = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
/// let weather = Tool::with_schema("weather.forecast", "Forecasts the weather", schema, |city| Ok::<_, String>(city))?;
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
    /// Of some tools, in their order. Of two with one name the first counts.
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

    /// The tools, in their order.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool of exactly this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.by_name.get(name).map(|position| &self.tools[*position])
    }

    /// Names of tools that are nearly this one, best first; at most three.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Vec<String> {
        let names = nearest(name, self.tools.iter().map(Tool::name), SUGGESTIONS);
        names.into_iter().map(str::to_owned).collect()
    }

    /// Searches. Best first; tools that are as good as each other keep their order; tools without any match are left out.
    ///
    /// What counts for a word of the query is where it stands: as the whole name (100), in the name (30), in the
    /// description (10), as the name of a parameter (8), in a parameter's description (4), in a tag (3). Words are compared
    /// by their stems (`issues` finds `issue`). A word that stands nowhere finds what begins with it or is spelled nearly
    /// like it, for half of that. Words such as `the` and `for` do not count among others.
    ///
    /// However long a query is and whatever tools say, a search comes to an end soon: 32 words of the query count, 2,000
    /// words of
    /// each text of a tool, none of more than 64 bytes, 32 tags. Where that is not enough (some 500,000 different words that are
    /// nearly the same), words that stand nowhere as they are find only what was compared by then.
    ///
    /// A query without words finds every tool, in their order.
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

    /// All about tools whose names are known, in the order of the names, each once. Capital letters do not matter where
    /// they leave no doubt. Names that there are not come back with those that are nearest, the first hundred of them. 10,000
    /// names
    /// are looked at.
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

    /// Every tool as a typed function: the text of a Python stub (`.pyi`), or of a TypeScript declaration (`.d.ts`) for
    /// JavaScript too.
    #[must_use]
    pub fn declarations(&self, language: Language) -> String {
        declarations::declare(&self.tools, language)
    }
}

impl From<ToolSet> for Catalog {
    fn from(set: ToolSet) -> Self {
        Self::new(set.tools)
    }
}

#[cfg(test)]
mod tests;
