//! The sandboxes of a server, one for each language.

use std::sync::{Arc, OnceLock};

use isolette::{Explanation, Language, Sandbox};
use rmcp::model::Tool;

use super::outcome::Failure;

/// At least one sandbox. The first one is the default.
pub(crate) struct Sandboxes {
    by_language: Vec<Arc<LanguageSandbox>>,
    /// The cached listing of tools: it takes time with many tools, and every request needs it.
    listing: OnceLock<Vec<Tool>>,
}

/// A sandbox and its effective configuration.
pub(crate) struct LanguageSandbox {
    pub(crate) sandbox: Sandbox,
    pub(crate) explanation: Explanation,
}

impl Sandboxes {
    pub(crate) fn new(sandboxes: Vec<Sandbox>) -> Result<Self, isolette::Error> {
        let by_language: Vec<_> = sandboxes
            .into_iter()
            .map(|sandbox| Arc::new(LanguageSandbox { explanation: sandbox.explain(), sandbox }))
            .collect();
        let invalid = |message: String| isolette::Error::InvalidArgument {
            message,
            hint: "give one sandbox for each language".into(),
        };
        if by_language.is_empty() {
            return Err(invalid("the server has no sandbox".into()));
        }
        for (index, one) in by_language.iter().enumerate() {
            if by_language[..index].iter().any(|other| other.language() == one.language()) {
                return Err(invalid(format!("there are two sandboxes for {}", one.language())));
            }
        }
        Ok(Self { by_language, listing: OnceLock::new() })
    }

    /// The listing, made by `list` on the first call.
    pub(crate) fn listing(&self, list: impl FnOnce() -> Vec<Tool>) -> &[Tool] {
        self.listing.get_or_init(list)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &LanguageSandbox> {
        self.by_language.iter().map(|entry| &**entry)
    }

    pub(crate) fn first(&self) -> &LanguageSandbox {
        // There is at least one.
        &self.by_language[0]
    }

    pub(crate) fn languages(&self) -> Vec<&'static str> {
        self.iter().map(|entry| entry.language().name()).collect()
    }

    /// The sandbox for a language, or the first one.
    pub(crate) fn choose(&self, language: Option<&str>) -> Result<Arc<LanguageSandbox>, Failure> {
        let found = match language {
            None => self.by_language.first(),
            Some(name) => {
                let language = name.parse::<Language>().ok();
                self.by_language.iter().find(|entry| Some(entry.language()) == language)
            }
        };
        found.cloned().ok_or_else(|| {
            Failure::new(
                "InvalidArgument",
                format!("there is no language `{}` here", language.unwrap_or_default().escape_debug()),
                format!("use {}", self.languages().join(" or ")),
            )
        })
    }
}

impl LanguageSandbox {
    pub(crate) fn language(&self) -> Language {
        self.explanation.language
    }
}
