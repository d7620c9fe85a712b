//! Names of topics.

/// `conformance::limits` is `limits`.
pub(crate) fn topic(module: &'static str) -> &'static str {
    module.split_once("::").map_or(module, |(_, topic)| topic)
}
