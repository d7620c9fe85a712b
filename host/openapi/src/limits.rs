//! How much a document and its tools may cost the host.

use std::time::Duration;

/// The limits of one OpenAPI document. Every one is finite by default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenApiLimits {
    /// Bytes of the document, with all files that it refers to. 32 MiB: the largest descriptions in use have half of it,
    /// apart from one that nobody offers to a model whole.
    pub document_bytes: usize,
    /// Time to fetch the document, if it is fetched. 30 s.
    pub document_time: Duration,
    /// Operations that become tools, after the filter. 3,000.
    pub operations: usize,
    /// Bytes of JSON Schema of all tools together, as a rough count. A document of a few kilobytes can ask for any amount.
    /// 128 MiB.
    pub schema_bytes: usize,
    /// Bytes of a request's body. 16 MiB.
    pub request_bytes: usize,
    /// Bytes of a response's body. A longer one is an error: nobody gets a part of a document for the whole. 16 MiB.
    pub response_bytes: usize,
    /// Time for one call, with its redirects. The deadline of the run holds besides. 30 s.
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

/// Bytes of a path.
pub(super) const PATH: usize = 4 << 10;
/// Parameters of one operation; no function has more.
pub(super) const PARAMETERS: usize = 200;
/// Entries of the short lists in an operation that are looked at: tags, responses, media types, security requirements.
pub(super) const ENTRIES: usize = 64;
/// Servers that tools of one document may speak to.
pub(super) const SERVERS: usize = 100;
/// How often a reference may lead to another one.
pub(super) const HOPS: usize = 32;
/// Files that a document may consist of.
pub(super) const FILES: usize = 200;
/// Rough bytes of the schema of one tool's arguments, and of one tool's result. A model does not read more, and what it
/// reads most of are the first levels.
pub(super) const INPUT_SCHEMA: usize = 64 << 10;
pub(super) const OUTPUT_SCHEMA: usize = 24 << 10;
