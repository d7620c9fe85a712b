//! Where tools come from: what the command line and the file name, connected.

use clap::Args;
use isolette::{Error, OpenApi, ToolSet, policy::SecretReference};
use isolette_mcp::{ConnectedSource, McpSource, SourceError, SourceTransport};
use url::Url;

use crate::config::{Config, McpConfig, OpenApiConfig};

/// Sources of tools. Filters hold for the sources of the command line; the file has filters of its own.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SourceOptions {
    /// Lend the operations of an OpenAPI document as tools: a file or a URL. May be repeated.
    #[arg(long, value_name = "FILE|URL", help_heading = "Tools")]
    openapi: Vec<String>,
    /// Lend the tools of another MCP server: a command to start it, or its URL; NAME= before it says what its tools' names
    /// begin with. May be repeated.
    #[arg(long, value_name = "[NAME=]COMMAND|URL", help_heading = "Tools")]
    mcp_server: Vec<String>,
    /// Let programs send requests to the servers of OpenAPI documents themselves too, and set BASE_URL to the first.
    #[arg(long, help_heading = "Tools", requires = "openapi")]
    direct_http: bool,
    /// Lend only tools whose names match, such as `get_*`. May be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    include: Vec<String>,
    /// Lend no tools whose names match. May be repeated.
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    exclude: Vec<String>,
}

impl SourceOptions {
    /// Adds them to those of the file.
    pub(crate) fn add_to(self, config: &mut Config) -> Result<(), Error> {
        for source in self.openapi {
            config.openapi.push(OpenApiConfig {
                source,
                direct_http: self.direct_http,
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

/// `NAME=` before a command or a URL. Commands may begin with settings of the environment in a shell, not here.
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

fn words(command: &str) -> Result<Vec<String>, Error> {
    match shlex::split(command) {
        Some(words) if !words.is_empty() => Ok(words),
        _ => Err(Error::InvalidArgument {
            message: format!("`{command}` is no command"),
            hint: "write it as in a shell, with quotes closed, or give a URL".into(),
        }),
    }
}

/// All sources, connected.
pub(crate) struct Sources {
    openapi: Vec<(ToolSet, bool)>,
    mcp: Vec<ConnectedSource>,
}

/// What all sources have.
pub(crate) struct Lent {
    /// One for each source, in their order.
    pub(crate) sets: Vec<ToolSet>,
    /// Where programs may send requests themselves.
    pub(crate) base_urls: Vec<String>,
}

impl Sources {
    pub(crate) async fn connect(config: &Config) -> Result<Self, Error> {
        let mut openapi = Vec::new();
        for source in &config.openapi {
            let document = document(source)?;
            let read = tokio::task::spawn_blocking(move || document.tools()).await;
            let set = read.map_err(|error| Error::Io {
                context: format!("cannot read `{}`", source.source),
                source: std::io::Error::other(error),
            })??;
            openapi.push((set, source.direct_http));
        }
        let mut mcp = Vec::new();
        for source in &config.mcp {
            mcp.push(mcp_source(source)?.connect().await.map_err(source_error)?);
        }
        Ok(Self { openapi, mcp })
    }

    /// The tools of all of them as they are now.
    pub(crate) async fn lent(&self) -> Result<Lent, Error> {
        let mut lent = Lent { sets: Vec::new(), base_urls: Vec::new() };
        for (set, direct_http) in &self.openapi {
            if *direct_http {
                lent.base_urls.extend(set.base_urls.iter().cloned());
            }
            lent.sets.push(set.clone());
        }
        for source in &self.mcp {
            lent.sets.push(source.tools().await.map_err(source_error)?);
        }
        Ok(lent)
    }

    /// Waits until one of them says that its tools are others now.
    pub(crate) async fn changed(&self) {
        let mut waiting: Vec<_> = self.mcp.iter().map(|source| Box::pin(source.changed())).collect();
        std::future::poll_fn(|context| {
            let ready = waiting.iter_mut().any(|source| source.as_mut().poll(context).is_ready());
            if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }

    /// Ends the connections, and the programs that were started for them.
    pub(crate) async fn close(self) {
        for source in self.mcp {
            source.close().await;
        }
    }
}

fn document(config: &OpenApiConfig) -> Result<OpenApi, Error> {
    let mut document = OpenApi::load(&config.source)?;
    if let Some(name) = &config.name {
        document = document.name(name);
    }
    if let Some(url) = &config.base_url {
        document = document.base_url(url)?;
    }
    for pattern in &config.include {
        document = document.include(pattern);
    }
    for pattern in &config.exclude {
        document = document.exclude(pattern);
    }
    for (scheme, secret) in &config.secrets {
        document = document.secret(scheme, secret.read()?);
    }
    for (name, value) in &config.headers {
        document = document.header(name, value.read()?);
    }
    Ok(document)
}

fn mcp_source(config: &McpConfig) -> Result<McpSource, Error> {
    let read = |secrets: &std::collections::BTreeMap<String, SecretReference>| {
        secrets.iter().map(|(name, secret)| Ok((name.clone(), secret.read()?))).collect::<Result<_, Error>>()
    };
    let (name, transport) = match (config.command.split_first(), &config.url) {
        (Some((program, arguments)), None) => {
            let transport = SourceTransport::Child {
                program: program.clone(),
                arguments: arguments.to_vec(),
                environment: read(&config.env)?,
                variables: config.variables.clone(),
                directory: config.directory.clone(),
            };
            (name_of_command(&config.command), transport)
        }
        (None, Some(url)) => {
            let name = url.host_str().unwrap_or_default().to_owned();
            (name, SourceTransport::Http { url: url.clone(), headers: read(&config.headers)? })
        }
        _ => {
            return Err(Error::InvalidArgument {
                message: "an MCP server has neither a command nor a URL, or both".into(),
                hint: "give one `command` or one `url`".into(),
            });
        }
    };
    let mut source = McpSource::new(config.name.clone().unwrap_or(name), transport);
    source.include.clone_from(&config.include);
    source.exclude.clone_from(&config.exclude);
    source.start_time = config.start_time.unwrap_or(source.start_time);
    source.call_time = config.call_time.unwrap_or(source.call_time);
    Ok(source)
}

/// By what it runs: the last word that is no flag, without folders, an ending and a version.
fn name_of_command(command: &[String]) -> String {
    let word = command.iter().rev().find(|word| !word.starts_with('-')).or(command.first());
    let word = word.map(String::as_str).unwrap_or_default();
    let file = word.rsplit('/').next().unwrap_or(word);
    let stem = file.split(['.', '@']).next().filter(|stem| !stem.is_empty()).unwrap_or(file);
    stem.to_owned()
}

fn source_error(error: SourceError) -> Error {
    Error::Unavailable { what: "a source of tools".into(), reason: error.message(), hint: error.hint().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_named_by_what_they_run() {
        for (command, expected) in [
            ("npx -y @modelcontextprotocol/server-everything", "server-everything"),
            ("python3 tools/shop.py", "shop"),
            ("/usr/bin/weather --stdio", "weather"),
            ("uvx mcp-server-git@1.2", "mcp-server-git"),
        ] {
            assert_eq!(name_of_command(&words(command).unwrap()), expected, "{command}");
        }
    }

    #[test]
    fn a_name_may_stand_before_the_place() {
        assert_eq!(split_name("shop=python3 shop.py"), (Some("shop"), "python3 shop.py"));
        assert_eq!(split_name("http://host/mcp?a=b"), (None, "http://host/mcp?a=b"));
        assert_eq!(split_name("python3 shop.py --name=x"), (None, "python3 shop.py --name=x"));
    }
}
