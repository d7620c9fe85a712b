//! Limits that a program reached without being ended.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};

use crate::limit_table;

macro_rules! limit_names {
    (
        top $top_group:literal {$(
            $(#[doc = $top_doc:literal])+
            $top:ident $top_field:ident as $key:literal: $top_kind:ident $top_number:literal $top_unit:ident => $top_beyond:literal;
        )+}
        $($group:literal {$(
            $(#[doc = $doc:literal])+
            $variant:ident $field:ident: $kind:ident $number:literal $($unit:ident)? => $beyond:literal;
        )+})+
    ) => {
        /// A limit, by its name in the policy. [`LimitName::unit`] returns its unit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum LimitName {
            $($(#[doc = $top_doc])+ $top,)+
            $($($(#[doc = $doc])+ $variant,)+)+
            /// Host memory for values, of all runs of a process together.
            ValueMemory,
        }

        impl LimitName {
            /// Returns the name of the setting in policy files.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$top => $key,)+
                    $($(Self::$variant => concat!("limits.", stringify!($field)),)+)+
                    Self::ValueMemory => "server.value_bytes",
                }
            }

            /// Returns the unit of the limit.
            #[must_use]
            pub fn unit(self) -> Unit {
                match self {
                    $(Self::$top => unit!($top_kind),)+
                    $($(Self::$variant => unit!($kind),)+)+
                    Self::ValueMemory => Unit::Bytes,
                }
            }
        }
    };
}

macro_rules! unit {
    (time) => {
        Unit::Milliseconds
    };
    (size) => {
        Unit::Bytes
    };
    (bytes) => {
        Unit::Bytes
    };
    (count) => {
        Unit::Count
    };
}

limit_table!(limit_names);

impl LimitName {
    fn hint(self) -> String {
        match self {
            Self::ValueMemory => "give back fewer values or one text, or try again when the host is less busy; the \
                                  operator can raise `value_bytes` in `[server]` (`ValueMemory::set_limit`)"
                .into(),
            other => format!("raise `{}` in the policy", other.as_str()),
        }
    }
}

/// The unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// A number of items, such as files.
    Count,
    /// Milliseconds.
    Milliseconds,
}

impl fmt::Display for Unit {
    /// Writes the unit as it follows a number in a sentence; nothing for [`Unit::Count`].
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => formatter.write_str(" bytes"),
            Self::Count => Ok(()),
            Self::Milliseconds => formatter.write_str(" ms"),
        }
    }
}

/// A limit that truncated data or caused a call to be refused, and did not end the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct LimitHit {
    /// The limit that was reached.
    pub name: LimitName,
    /// The maximum, in the unit of the limit.
    pub limit: u64,
    /// How much was used, or would have been.
    pub used: u64,
}

impl LimitHit {
    /// Creates a limit hit: `used` was used or requested of `limit`.
    #[must_use]
    pub fn new(name: LimitName, limit: u64, used: u64) -> Self {
        Self { name, limit, used }
    }
}

impl fmt::Display for LimitHit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, limit, used } = self;
        write!(formatter, "`{}` is {limit}, and {used} were used or asked for\nhint: {}", name.as_str(), name.hint())
    }
}

impl Serialize for LimitHit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut limit_hit = serializer.serialize_struct("LimitHit", 4)?;
        limit_hit.serialize_field("name", &self.name)?;
        limit_hit.serialize_field("limit", &self.limit)?;
        limit_hit.serialize_field("used", &self.used)?;
        limit_hit.serialize_field("hint", &self.name.hint())?;
        limit_hit.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_for_values_is_no_matter_of_the_policy() {
        let shown = LimitHit::new(LimitName::ValueMemory, 10, 20).to_string();
        assert!(shown.starts_with("`server.value_bytes` is 10, and 20 were"), "{shown}");
        assert!(shown.contains("`value_bytes` in `[server]`") && !shown.contains("policy"), "{shown}");
        let shown = LimitHit::new(LimitName::Payload, 10, 20).to_string();
        assert!(shown.ends_with("hint: raise `limits.payload` in the policy"), "{shown}");
    }
}
