//! `isolette.toml`: everything that the command line can say, and the sources of tools, in one file.
//!
//! A key that is not known is an error, and so is a secret that is written into the file.

mod places;
mod server;
mod sources;
mod values;

use std::{
    fs,
    path::{Path, PathBuf},
};

use isolette::{
    Error, Redaction,
    policy::{PolicyFile, SecretReference},
};
use isolette_policy::toml_mistake;
use serde::Deserialize;

pub(crate) use self::{
    server::ServerConfig,
    sources::{McpConfig, OpenApiConfig},
};

/// A file is written by hand. Nothing longer is one.
const LENGTH_LIMIT: u64 = 1 << 20;

/// What the file says. What it does not say is as the command line's help has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// What programs may do: the same as a policy file of its own.
    pub(crate) sandbox: PolicyFile,
    /// How it is served.
    pub(crate) server: ServerConfig,
    /// OpenAPI documents whose operations are tools.
    pub(crate) openapi: Vec<OpenApiConfig>,
    /// Servers whose tools are lent.
    pub(crate) mcp: Vec<McpConfig>,
}

impl Config {
    /// Reads a file, or takes nothing if none is named.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path else { return Ok(Self::default()) };
        let failed = |source| Error::Io { context: format!("cannot read `{}`", path.display()), source };
        if fs::metadata(path).map_err(failed)?.len() > LENGTH_LIMIT {
            return Err(Error::InvalidArgument {
                message: format!("`{}` is longer than {LENGTH_LIMIT} bytes", path.display()),
                hint: "name the configuration file".into(),
            });
        }
        let text = fs::read_to_string(path).map_err(failed)?;
        let mut config = Self::parse(&text).map_err(|(message, hint)| Error::InvalidArgument {
            message: format!("`{}`: {message}", path.display()),
            hint,
        })?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        config.resolve(&folder);
        Ok(config)
    }

    /// Every secret that the file names, so that none of them comes to a model.
    pub(crate) fn redaction(&self) -> Result<Redaction, Error> {
        let openapi = self.openapi.iter().flat_map(|source| source.secrets.values().chain(source.headers.values()));
        let mcp = self.mcp.iter().flat_map(|source| source.env.values().chain(source.headers.values()));
        let named = openapi.chain(mcp).chain(&self.server.token);
        Ok(Redaction::new(named.map(SecretReference::read).collect::<Result<Vec<_>, _>>()?))
    }

    /// What is wrong, and what to do about it.
    fn parse(text: &str) -> Result<Self, (String, String)> {
        toml::from_str(text).map_err(|error| toml_mistake(&error, text, "docs/mcp.md"))
    }
}

#[cfg(test)]
mod tests;
