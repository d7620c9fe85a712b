//! The flags that name sources of tools.

use clap::Args;
use isolette::Error;
use url::Url;

use crate::config::{Config, McpConfig, OpenApiConfig};

/// Sources of tools. The filters apply to the sources of the command line; the file has filters of its own.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SourceOptions {
    /// Provide the operations of an OpenAPI document as tools: a file or a URL. May be repeated.
    #[arg(long, value_name = "FILE|URL", help_heading = "Tools")]
    openapi: Vec<String>,
    /// Provide the tools of another MCP server: a command to start it, or its URL. NAME= before it sets the namespace of its
    /// tools. May be repeated.
    #[arg(long, value_name = "[NAME=]COMMAND|URL", help_heading = "Tools")]
    mcp_server: Vec<String>,
    /// Also let programs send requests to the servers of OpenAPI documents directly, and set BASE_URL to the first one.
    #[arg(long, help_heading = "Tools", requires = "openapi")]
    direct_http: bool,
    /// Allow private addresses for OpenAPI documents and the servers that they name.
    #[arg(long, help_heading = "Tools", requires = "openapi")]
    private_addresses: bool,
    /// Provide only tools whose names match, such as `get_*` or `github.get_*`. May be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    include: Vec<String>,
    /// Exclude tools whose names match. May be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    exclude: Vec<String>,
}

impl SourceOptions {
    /// Adds these sources to those of the file.
    pub(crate) fn add_to(self, config: &mut Config) -> Result<(), Error> {
        for source in self.openapi {
            config.openapi.push(OpenApiConfig {
                source,
                direct_http: self.direct_http,
                private_addresses: self.private_addresses,
                include: self.include.clone(),
                exclude: self.exclude.clone(),
                ..OpenApiConfig::default()
            });
        }
        for server in self.mcp_server {
            let (name, place) = split_name(&server);
            let mut source = McpConfig {
                name: name.map(ToOwned::to_owned),
                include: self.include.clone(),
                exclude: self.exclude.clone(),
                ..McpConfig::default()
            };
            match Url::parse(place) {
                Ok(url) if matches!(url.scheme(), "http" | "https") => source.url = Some(url),
                _ => source.command = words(place)?,
            }
            config.mcp.push(source);
        }
        Ok(())
    }
}

/// Splits `NAME=` from a command or a URL. Unlike in a shell, a command cannot begin with environment variables.
fn split_name(server: &str) -> (Option<&str>, &str) {
    match server.split_once('=') {
        Some((name, place))
            if !name.is_empty() && name.chars().all(|each| each.is_ascii_alphanumeric() || "_-".contains(each)) =>
        {
            (Some(name), place)
        }
        _ => (None, server),
    }
}

pub(super) fn words(command: &str) -> Result<Vec<String>, Error> {
    match shlex::split(command) {
        Some(words) if !words.is_empty() => Ok(words),
        _ => Err(Error::InvalidArgument {
            message: format!("`{command}` is not a command"),
            hint: "write it as in a shell, with all quotes closed, or use a URL".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_stand_before_the_place() {
        assert_eq!(split_name("shop=python3 shop.py"), (Some("shop"), "python3 shop.py"));
        assert_eq!(split_name("http://host/mcp?a=b"), (None, "http://host/mcp?a=b"));
        assert_eq!(split_name("python3 shop.py --name=x"), (None, "python3 shop.py --name=x"));
    }
}
