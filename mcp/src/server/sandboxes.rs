//! The sandboxes that a server lends, one for each language.

use std::sync::Arc;

use isolette::{Explanation, Language, Sandbox};

use super::outcome::Failure;

/// At least one. The first is the one to take where nobody chooses.
pub(crate) struct Sandboxes(Vec<Arc<Lent>>);

/// A sandbox and what is in effect in it.
pub(crate) struct Lent {
    pub(crate) sandbox: Sandbox,
    pub(crate) explanation: Explanation,
}

impl Sandboxes {
    pub(crate) fn new(sandboxes: Vec<Sandbox>) -> Result<Self, isolette::Error> {
        let lent: Vec<_> =
            sandboxes.into_iter().map(|sandbox| Arc::new(Lent { explanation: sandbox.explain(), sandbox })).collect();
        let invalid = |message: String| isolette::Error::InvalidArgument {
            message,
            hint: "give one sandbox for each language".into(),
        };
        if lent.is_empty() {
            return Err(invalid("the server has no sandbox".into()));
        }
        for (index, one) in lent.iter().enumerate() {
            if lent[..index].iter().any(|other| other.language() == one.language()) {
                return Err(invalid(format!("there are two sandboxes for {}", one.language())));
            }
        }
        Ok(Self(lent))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Lent> {
        self.0.iter().map(|lent| &**lent)
    }

    pub(crate) fn first(&self) -> &Lent {
        // There is at least one.
        &self.0[0]
    }

    pub(crate) fn languages(&self) -> Vec<&'static str> {
        self.iter().map(|lent| lent.language().name()).collect()
    }

    /// The one for a language, or the first.
    pub(crate) fn choose(&self, language: Option<&str>) -> Result<Arc<Lent>, Failure> {
        let found = match language {
            None => self.0.first(),
            Some(name) => {
                let language = name.parse::<Language>().ok();
                self.0.iter().find(|lent| Some(lent.language()) == language)
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

impl Lent {
    pub(crate) fn language(&self) -> Language {
        self.explanation.language
    }
}
