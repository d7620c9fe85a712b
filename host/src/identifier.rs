//! Names for runs and sessions that nobody has to give out.

use std::fmt;

use serde::{Serialize, Serializer};

/// Tells one run, or one session, from every other: 128 bits of chance, written as 32 hexadecimal digits. It grants
/// nothing, so it can be logged.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identifier(u128);

impl Identifier {
    pub(crate) fn random() -> Self {
        Self(rand::random())
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for Identifier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
