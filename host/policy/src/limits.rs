//! The limits of a run. `limit_table!` in `host/types` lists them with their defaults.

use std::time::Duration;

use isolette_types::{LimitName, Unit, limit_table};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

#[cfg(test)]
mod tests;

/// A limit, as the documentation and `isolette policy show` describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitDescription {
    /// The limit.
    pub name: LimitName,
    /// What is limited, in Markdown.
    pub what: &'static str,
    /// The default, as in a policy file.
    pub default: &'static str,
    /// What happens beyond the limit, in Markdown.
    pub beyond: &'static str,
    /// The name of the field of [`Limits`].
    field: &'static str,
    /// Limits of a group are printed together.
    pub(crate) group: &'static str,
}

impl LimitDescription {
    /// Returns the description of a limit, or `None` if the policy does not set it.
    #[must_use]
    pub fn of(name: LimitName) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.name == name)
    }

    /// The key in JSON. Times have their unit in it.
    fn json_key(&self) -> String {
        match self.name.unit() {
            Unit::Milliseconds => format!("{}_ms", self.field),
            _ => self.field.into(),
        }
    }
}

macro_rules! limits {
    (
        top $top_group:literal {$(
            $(#[doc = $top_doc:literal])+
            $top:ident $top_field:ident as $key:literal: $top_kind:ident $top_number:literal $top_unit:ident => $top_beyond:literal;
        )+}
        $($group:literal {$(
            $(#[doc = $doc:literal])+
            $name:ident $field:ident: $kind:ident $number:literal $($unit:ident)? => $beyond:literal;
        )+})+
    ) => {
        /// The limits of one run. Each is finite by default, and applies to the run as a whole: retries and redirects
        /// count too.
        ///
        /// The limits on files apply to what a guest writes to mounts and to what `Session::write_file` puts there. They
        /// count lengths, not disk usage: a sparse file that is extended to a gigabyte counts as one. Files in `/tmp` are
        /// in the guest's memory. [`ExecutionResult::limits_reached`](isolette_types::ExecutionResult::limits_reached)
        /// lists the limits that truncated or refused something in a run.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $(
                $(#[doc = $top_doc])+
                #[doc = concat!("\n\nDefault: `", default_text!($top_kind $top_number $top_unit), "`. Beyond it, ", $top_beyond, ".")]
                pub $top_field: kind!($top_kind),
            )+
            $($(
                $(#[doc = $doc])+
                #[doc = concat!("\n\nDefault: `", default_text!($kind $number $($unit)?), "`. Beyond it, ", $beyond, ".")]
                pub $field: kind!($kind),
            )+)+
        }

        impl Default for Limits {
            fn default() -> Self {
                Self {
                    $($top_field: amount!($top_number $top_unit),)+
                    $($($field: amount!($number $($unit)?),)+)+
                }
            }
        }

        impl Limits {
            /// The values, in the order of [`LIMITS`].
            fn values(&self) -> [Value; LIMITS.len()] {
                [$(self.$top_field.into(),)+ $($(self.$field.into(),)+)+]
            }
        }

        /// All limits of a policy.
        pub const LIMITS: &[LimitDescription] = &[
            $(LimitDescription {
                name: LimitName::$top,
                what: concat!($($top_doc),+).trim_ascii(),
                default: default_text!($top_kind $top_number $top_unit),
                beyond: $top_beyond,
                field: stringify!($top_field),
                group: $top_group,
            },)+
            $($(LimitDescription {
                name: LimitName::$name,
                what: concat!($($doc),+).trim_ascii(),
                default: default_text!($kind $number $($unit)?),
                beyond: $beyond,
                field: stringify!($field),
                group: $group,
            },)+)+
        ];
    };
}

/// The type of a kind of limit.
macro_rules! kind {
    (time) => {
        Duration
    };
    ($kind:ident) => {
        u64
    };
}
pub(crate) use kind;

/// A default as a value.
macro_rules! amount {
    ($number:literal s) => {
        Duration::from_secs($number)
    };
    ($number:literal m) => {
        Duration::from_secs($number * 60)
    };
    ($number:literal KiB) => {
        $number << 10
    };
    ($number:literal MiB) => {
        $number << 20
    };
    ($number:literal GiB) => {
        $number << 30
    };
    ($number:literal) => {
        $number
    };
}

/// A default as in a policy file.
macro_rules! default_text {
    ($kind:ident $number:literal $unit:ident) => {
        concat!("\"", stringify!($number), stringify!($unit), "\"")
    };
    ($kind:ident $number:literal) => {
        stringify!($number)
    };
}

limit_table!(limits);

impl Limits {
    /// The value for an explicitly unlimited amount. Memory cannot be unlimited.
    pub const UNLIMITED: u64 = u64::MAX;

    /// The value for an explicitly unlimited time.
    pub const UNLIMITED_TIME: Duration = Duration::MAX;

    /// The maximum of `http_header_bytes`: more does not fit into one message of the host call ABI.
    pub const MOST_HEADER_BYTES: u64 = 32 << 10;

    /// Returns every limit with its value.
    pub(crate) fn described(&self) -> impl Iterator<Item = (&'static LimitDescription, Value)> {
        LIMITS.iter().zip(self.values())
    }
}

impl Serialize for Limits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(LIMITS.len()))?;
        for (limit, value) in self.described() {
            let number = match value {
                Value::Time(time) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
                Value::Amount(amount) => amount,
            };
            map.serialize_entry(&limit.json_key(), &number)?;
        }
        map.end()
    }
}

/// The value of a limit.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Time(Duration),
    Amount(u64),
}

impl From<Duration> for Value {
    fn from(time: Duration) -> Self {
        Self::Time(time)
    }
}

impl From<u64> for Value {
    fn from(amount: u64) -> Self {
        Self::Amount(amount)
    }
}
