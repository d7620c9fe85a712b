//! Selects operations by patterns.

use isolette_tools::SkipReason;
use wildmatch::WildMatch;

use super::document::cut;

/// Patterns of included and excluded operations. `*` matches any text and `?` any character. A pattern is compared with
/// the name of the tool, with or without the namespace, with the `operationId`, each tag, the path, and the method and
/// path as in `GET /users/*`.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    include: Vec<WildMatch>,
    exclude: Vec<WildMatch>,
}

/// Everything that a pattern is compared with.
pub(super) struct Known<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) id: Option<&'a str>,
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) tags: &'a [String],
}

impl Filter {
    pub(super) fn include(&mut self, pattern: &str) {
        self.include.push(WildMatch::new(pattern));
    }

    pub(super) fn exclude(&mut self, pattern: &str) {
        self.exclude.push(WildMatch::new(pattern));
    }

    /// Why an operation is left out; `None` if it is selected.
    pub(super) fn refuses(&self, known: &Known<'_>) -> Option<SkipReason> {
        if let Some(pattern) = self.exclude.iter().find(|pattern| fits(pattern, known)) {
            return Some(SkipReason::Excluded { pattern: cut(&pattern.pattern(), 100) });
        }
        let included = self.include.is_empty() || self.include.iter().any(|pattern| fits(pattern, known));
        (!included).then_some(SkipReason::NotIncluded)
    }
}

fn fits(pattern: &WildMatch, known: &Known<'_>) -> bool {
    pattern.matches(known.name)
        || pattern.matches(&format!("{}.{}", known.namespace, known.name))
        || known.id.is_some_and(|id| pattern.matches(id))
        || known.tags.iter().any(|tag| pattern.matches(tag))
        || pattern.matches(known.path)
        || pattern.matches(&format!("{} {}", known.method, known.path))
}
