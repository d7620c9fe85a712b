//! `[[openapi]]` and `[[mcp]]`: where tools come from.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use isolette::policy::SecretReference;
use serde::Deserialize;
use url::Url;

use super::values;

/// An OpenAPI document.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenApiConfig {
    /// What the names of its tools begin with. Default: by its title.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// A file or a URL.
    pub(crate) source: String,
    /// Where requests go, in place of what the document says.
    #[serde(default)]
    pub(crate) base_url: Option<String>,
    /// Its servers, and the document itself, may be at private addresses.
    #[serde(default)]
    pub(crate) private_addresses: bool,
    /// What stands for the variables in the URLs of its servers.
    #[serde(default)]
    pub(crate) server_variables: BTreeMap<String, String>,
    /// Answers other than 2xx are values, not exceptions.
    #[serde(default)]
    pub(crate) errors_as_values: bool,
    /// Operations that become tools.
    #[serde(default)]
    pub(crate) operations: Option<usize>,
    /// Bytes of the schemas of all its tools.
    #[serde(default, deserialize_with = "values::size")]
    pub(crate) schema_bytes: Option<u64>,
    /// Bytes of the document with all its files.
    #[serde(default, deserialize_with = "values::size")]
    pub(crate) document_bytes: Option<u64>,
    /// What its security schemes ask for, by the name of the scheme.
    #[serde(default)]
    pub(crate) secrets: BTreeMap<String, SecretReference>,
    /// What every request has in its head.
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, SecretReference>,
    /// Programs may send requests to its servers themselves, and find the first of them in `BASE_URL`.
    #[serde(default)]
    pub(crate) direct_http: bool,
    #[serde(default)]
    pub(crate) include: Vec<String>,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
}

/// Another server.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct McpConfig {
    /// What the names of its tools begin with. Default: by the command or the host.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// A program and its arguments.
    #[serde(default)]
    pub(crate) command: Vec<String>,
    /// Secrets in the program's environment.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, SecretReference>,
    /// What else is in its environment, besides `PATH` and `HOME`.
    #[serde(default)]
    pub(crate) variables: BTreeMap<String, String>,
    /// Where the program is started.
    #[serde(default)]
    pub(crate) directory: Option<PathBuf>,
    /// A server that runs already.
    #[serde(default)]
    pub(crate) url: Option<Url>,
    /// What every request to it has in its head.
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
