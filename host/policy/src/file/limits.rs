//! The `[limits]` table of a policy file: one key for each limit, except time and memory, which have keys of their own.

use std::time::Duration;

use isolette_types::limit_table;
use serde::{Deserialize, Serialize};

use super::values;
use crate::limits::{Limits, kind};

macro_rules! limits_file {
    (
        top $top_group:literal { $($top:tt)+ }
        $($group:literal {$(
            $(#[doc = $doc:literal])+
            $name:ident $field:ident: $kind:ident $number:literal $($unit:ident)? => $beyond:literal;
        )+})+
    ) => {
        /// The limits of a policy file; [`Limits`] describes each one and its default. Each can be `"unlimited"`.
        /// `None` keeps the value of the next layer below.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(from = "Table", into = "Table")]
        #[non_exhaustive]
        pub struct LimitsFile {
            $($(
                #[doc = concat!("See [`Limits::", stringify!($field), "`].")]
                pub $field: Option<kind!($kind)>,
            )+)+
        }

        /// The same limits, parsed by their kind.
        #[derive(Default, Deserialize, Serialize)]
        #[serde(deny_unknown_fields, default)]
        struct Table {
            $($(#[serde(skip_serializing_if = "Option::is_none")] $field: Option<parser!($kind)>,)+)+
        }

        impl From<Table> for LimitsFile {
            fn from(table: Table) -> Self {
                Self { $($($field: table.$field.map(|value| value.0),)+)+ }
            }
        }

        impl From<LimitsFile> for Table {
            fn from(file: LimitsFile) -> Self {
                Self { $($($field: file.$field.map(<parser!($kind)>::new),)+)+ }
            }
        }

        impl LimitsFile {
            pub(super) fn is_empty(&self) -> bool {
                *self == Self::default()
            }

            pub(super) fn over(self, below: Self) -> Self {
                Self { $($($field: self.$field.or(below.$field),)+)+ }
            }

            pub(super) fn put_into(&self, limits: &mut Limits) {
                $($(if let Some(value) = self.$field {
                    limits.$field = value;
                })+)+
            }
        }
    };
}

/// The parser of a kind of limit.
macro_rules! parser {
    (time) => {
        values::Time
    };
    (size) => {
        values::Size
    };
    ($kind:ident) => {
        values::Count
    };
}

limit_table!(limits_file);
