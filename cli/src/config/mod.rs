//! `isolette.toml`: the settings of the command line, and the sources of tools, in one file.
//!
//! Unknown keys are errors, and so are secrets that are written into the file.

mod places;
mod server;
mod service;
mod sources;
mod values;

use std::path::{Path, PathBuf};

use isolette::{
    Error, Redaction,
    policy::{PolicyFile, SecretReference},
};
use isolette_policy::{read_text_within, toml_mistake};
use serde::Deserialize;

pub(crate) use self::{
    server::ServerConfig,
    service::ServiceConfig,
    sources::{McpConfig, OpenApiConfig},
};

/// Maximum length of the file in bytes. Longer files are not configuration files.
const LENGTH_LIMIT: u64 = 1 << 20;

/// The content of the file. Missing keys have the defaults that the help of the command line states.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// The policy of programs, with the keys of a policy file.
    pub(crate) sandbox: PolicyFile,
    /// The settings of the MCP server.
    pub(crate) server: ServerConfig,
    /// The settings of `isolette serve`.
    pub(crate) service: ServiceConfig,
    /// OpenAPI documents whose operations become tools.
    pub(crate) openapi: Vec<OpenApiConfig>,
    /// MCP servers whose tools are provided to programs.
    pub(crate) mcp: Vec<McpConfig>,
}

impl Config {
    /// Reads a file; without one, returns the defaults.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path else { return Ok(Self::default()) };
        let failed = |source| Error::Io { context: format!("cannot read `{}`", path.display()), source };
        let text = read_text_within(path, LENGTH_LIMIT).map_err(failed)?.ok_or_else(|| Error::InvalidArgument {
            message: format!("`{}` is longer than {LENGTH_LIMIT} bytes", path.display()),
            hint: "name the configuration file".into(),
        })?;
        let mut config = Self::parse(&text).map_err(|(message, hint)| Error::InvalidArgument {
            message: format!("`{}`: {message}", path.display()),
            hint,
        })?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        config.resolve(&folder);
        Ok(config)
    }

    /// Returns all secrets that the file names, so that they can be redacted from everything a model gets.
    pub(crate) fn redaction(&self) -> Result<Redaction, Error> {
        let openapi = self.openapi.iter().flat_map(|source| source.secrets.values().chain(source.headers.values()));
        let mcp = self.mcp.iter().flat_map(|source| source.env.values().chain(source.headers.values()));
        let named = openapi.chain(mcp).chain(&self.server.token).chain(self.service.tokens.values());
        Ok(Redaction::new(named.map(SecretReference::read).collect::<Result<Vec<_>, _>>()?))
    }

    /// Parses the text. The error is a message and a hint.
    fn parse(text: &str) -> Result<Self, (String, String)> {
        toml::from_str(text).map_err(|error| toml_mistake(&error, text, "docs/mcp.md"))
    }
}

#[cfg(test)]
mod tests;
