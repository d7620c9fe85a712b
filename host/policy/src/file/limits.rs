//! The `[limits]` table of a policy file: one key for each limit, except time and memory, which have keys of their own.

use std::time::Duration;

use serde::Deserialize;

use super::{super::Limits, values};

macro_rules! limits_file {
    ($($name:ident: $type:ty = $with:literal,)+) => {
        /// The limits of a policy file; [`Limits`] describes each one and its default. Each can be `"unlimited"`.
        /// `None` keeps the value of the next layer below.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        #[non_exhaustive]
        pub struct LimitsFile {
            $(
                #[doc = concat!("See [`Limits::", stringify!($name), "`].")]
                #[serde(deserialize_with = $with)]
                pub $name: Option<$type>,
            )+
        }

        impl LimitsFile {
            pub(super) fn over(self, below: Self) -> Self {
                Self { $($name: self.$name.or(below.$name),)+ }
            }

            pub(super) fn put_into(&self, limits: &mut Limits) {
                $(if let Some(value) = self.$name {
                    limits.$name = value;
                })+
            }
        }
    };
}

limits_file! {
    cpu_time: Duration = "values::duration",
    sleep: Duration = "values::duration",
    code: u64 = "values::size",
    stdout: u64 = "values::size",
    stderr: u64 = "values::size",
    value: u64 = "values::size",
    error: u64 = "values::size",
    payload: u64 = "values::size",
    host_calls_per_second: u64 = "values::count",
    calls_recorded: u64 = "values::count",
    tool_calls: u64 = "values::count",
    capability_calls: u64 = "values::count",
    resources: u64 = "values::count",
    http_requests: u64 = "values::count",
    http_concurrent: u64 = "values::count",
    http_body: u64 = "values::size",
    http_total_bytes: u64 = "values::size",
    http_headers: u64 = "values::count",
    http_header_bytes: u64 = "values::size",
    http_redirects: u64 = "values::count",
    http_request_time: Duration = "values::duration",
    http_total_time: Duration = "values::duration",
    file_bytes: u64 = "values::size",
    file_total_bytes: u64 = "values::size",
    file_count: u64 = "values::count",
    file_depth: u64 = "values::count",
    file_name_bytes: u64 = "values::count",
    audit_bytes: u64 = "values::size",
}
