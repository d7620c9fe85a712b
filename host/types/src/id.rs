//! Identifiers of runs and sessions.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

macro_rules! identifier {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        ///
        /// 128 random bits, written as 32 hexadecimal digits. It grants no access, so it can be logged.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u128);

        impl $name {
            /// Creates a new random identifier.
            #[must_use]
            pub fn random() -> Self {
                Self(rand::random())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{:032x}", self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                u128::from_str_radix(&text, 16).map(Self).map_err(de::Error::custom)
            }
        }
    };
}

identifier! {
    /// Identifies one run, in results, audits and traces.
    RunId
}

identifier! {
    /// Identifies one session, in audits and traces.
    SessionId
}
