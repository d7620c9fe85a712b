//! Whose images are built, or whose tools are installed.

use clap::ValueEnum;

/// Which images are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Selection {
    Python,
    #[value(alias = "js")]
    Javascript,
    All,
}

impl Selection {
    pub(crate) fn python(self) -> bool {
        self != Self::Javascript
    }

    pub(crate) fn javascript(self) -> bool {
        self != Self::Python
    }
}
