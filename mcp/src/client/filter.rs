//! Selects the tools of a source by name.

use globset::{Glob, GlobSet, GlobSetBuilder};
use isolette::naming::identifier;

use super::{error::SourceError, source::McpSource};

/// The tools of a server that are included.
#[derive(Debug)]
pub(super) struct Filter {
    include: GlobSet,
    exclude: GlobSet,
}

impl Filter {
    /// Compiles the globs of a source.
    pub(super) fn new(source: &McpSource) -> Result<Self, SourceError> {
        Ok(Self { include: globs(source, &source.include)?, exclude: globs(source, &source.exclude)? })
    }

    /// Whether the tool with this name at the server is included.
    pub(super) fn wants(&self, namespace: &str, name: &str) -> bool {
        let known = identifier(name);
        let full = known.as_ref().map(|known| format!("{namespace}.{known}"));
        let names = [Some(name), known.as_deref(), full.as_deref()];
        let matches = |globs: &GlobSet| names.iter().flatten().any(|name| globs.is_match(name));
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}

fn globs(source: &McpSource, patterns: &[String]) -> Result<GlobSet, SourceError> {
    let mut set = GlobSetBuilder::new();
    let wrong = |error: globset::Error| {
        source.invalid(error.to_string(), "use `*` and `?`, as in `get_*`; `*` alone is every tool")
    };
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(wrong)?);
    }
    set.build().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use url::Url;

    use super::*;
    use crate::SourceTransport;

    fn wanted(include: &[&str], exclude: &[&str]) -> bool {
        let globs = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let url = Url::parse("http://127.0.0.1/").expect("a URL");
        let mut source = McpSource::new("shop", SourceTransport::Http { url, headers: BTreeMap::new() });
        source.include = globs(include);
        source.exclude = globs(exclude);
        Filter::new(&source).expect("globs").wants("shop", "get-weather")
    }

    #[test]
    fn a_tool_is_known_by_each_of_its_names() {
        for pattern in ["get-weather", "get_weather", "get_*", "get-*", "shop.get_*", "shop.*", "*"] {
            assert!(wanted(&[pattern], &[]), "{pattern}");
            assert!(!wanted(&[], &[pattern]), "{pattern}");
        }
        for pattern in ["weather", "other.*", "shop", "shop.get-weather"] {
            assert!(!wanted(&[pattern], &[]), "{pattern}");
            assert!(wanted(&[], &[pattern]), "{pattern}");
        }
    }
}
