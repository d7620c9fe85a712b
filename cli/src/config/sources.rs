//! `[[openapi]]` and `[[mcp]]`: the sources of tools.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use isolette::policy::SecretReference;
use serde::Deserialize;
use url::Url;

use super::values;

/// An OpenAPI document as a source of tools.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenApiConfig {
    /// The namespace of its tools. Default: made from its title.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// A file or a URL.
    pub(crate) source: String,
    /// The base URL of requests, in place of the servers in the document.
    #[serde(default)]
    pub(crate) base_url: Option<String>,
    /// Allows private addresses for its servers and for the document itself.
    #[serde(default)]
    pub(crate) private_addresses: bool,
    /// Values of the variables in the URLs of its servers.
    #[serde(default)]
    pub(crate) server_variables: BTreeMap<String, String>,
    /// Returns responses other than 2xx as values instead of raising exceptions.
    #[serde(default)]
    pub(crate) errors_as_values: bool,
    /// Maximum number of operations that become tools.
    #[serde(default)]
    pub(crate) operations: Option<usize>,
    /// Maximum size of the schemas of all its tools, in bytes.
    #[serde(default, deserialize_with = "values::size")]
    pub(crate) schema_bytes: Option<u64>,
    /// Maximum size of the document with all its files, in bytes.
    #[serde(default, deserialize_with = "values::size")]
    pub(crate) document_bytes: Option<u64>,
    /// The secrets for its security schemes, by the name of the scheme.
    #[serde(default)]
    pub(crate) secrets: BTreeMap<String, SecretReference>,
    /// Headers of every request.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, SecretReference>,
    /// Lets programs send requests to its servers themselves, with the first server in `BASE_URL`.
    #[serde(default)]
    pub(crate) direct_http: bool,
    #[serde(default)]
    pub(crate) include: Vec<String>,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
}

/// An MCP server as a source of tools.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct McpConfig {
    /// The namespace of its tools. Default: made from the command or the host.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// A program and its arguments, if the server is started.
    #[serde(default)]
    pub(crate) command: Vec<String>,
    /// Secret variables of the program's environment.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, SecretReference>,
    /// Other variables of its environment, besides `PATH` and `HOME`.
    #[serde(default)]
    pub(crate) variables: BTreeMap<String, String>,
    /// The working directory of the program.
    #[serde(default)]
    pub(crate) directory: Option<PathBuf>,
    /// The URL of a running server.
    #[serde(default)]
    pub(crate) url: Option<Url>,
    /// Headers of every request to the server.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, SecretReference>,
    #[serde(default)]
    pub(crate) include: Vec<String>,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
    #[serde(default, deserialize_with = "values::duration")]
    pub(crate) start_time: Option<Duration>,
    #[serde(default, deserialize_with = "values::duration")]
    pub(crate) call_time: Option<Duration>,
}
