//! The languages whose images are built, or whose tools are installed.

use clap::ValueEnum;

/// The selected images.
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
