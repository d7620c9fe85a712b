//! Limits of what a document and its tools may cost the host.

use std::time::Duration;

/// The limits of one OpenAPI document. All are finite by default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenApiLimits {
    /// Maximum size in bytes of the document, with all files that it refers to. Default: 32 MiB. The largest
    /// descriptions in use have half of that, apart from one that is too large to offer to a model as a whole.
    pub document_bytes: usize,
    /// Timeout for fetching the document from a URL. Default: 30 s.
    pub document_time: Duration,
    /// Maximum number of operations that become tools, after the filter. Default: 3,000.
    pub operations: usize,
    /// Maximum approximate size in bytes of the JSON Schemas of all tools together. A document of a few kilobytes can
    /// expand to any size. Default: 128 MiB.
    pub schema_bytes: usize,
    /// Maximum size of a request body in bytes. Default: 16 MiB.
    pub request_bytes: usize,
    /// Maximum size of a response body in bytes. A longer one is an error, because a truncated document could be taken
    /// for a complete one. Default: 16 MiB.
    pub response_bytes: usize,
    /// Timeout of one call, including redirects. The deadline of the run applies in addition. Default: 30 s.
    pub time_per_call: Duration,
}

impl Default for OpenApiLimits {
    fn default() -> Self {
        Self {
            document_bytes: 32 << 20,
            document_time: Duration::from_secs(30),
            operations: 3_000,
            schema_bytes: 128 << 20,
            request_bytes: 16 << 20,
            response_bytes: 16 << 20,
            time_per_call: Duration::from_secs(30),
        }
    }
}

/// Maximum length of a path in bytes.
pub(super) const PATH: usize = 4 << 10;
/// Maximum number of parameters of one operation.
pub(super) const PARAMETERS: usize = 200;
/// Maximum number of entries that are read of short lists in an operation: tags, responses, media types, security
/// requirements.
pub(super) const ENTRIES: usize = 64;
/// Maximum number of servers that tools of one document may use.
pub(super) const SERVERS: usize = 100;
/// Maximum number of consecutive references.
pub(super) const HOPS: usize = 32;
/// Maximum number of files of a document.
pub(super) const FILES: usize = 200;
/// Maximum approximate size in bytes of the schema of one tool's arguments, and of one tool's result. A model does not
/// read more, and the first levels are the most relevant.
pub(super) const INPUT_SCHEMA: usize = 64 << 10;
pub(super) const OUTPUT_SCHEMA: usize = 24 << 10;
