//! The sources of tools that the command line and the configuration file name.

mod options;

use isolette::{Error, OpenApi, OpenApiLimits, ToolSet, policy::SecretReference};
use isolette_mcp::{ConnectedSource, McpSource, SourceError, SourceTransport};

pub(crate) use self::options::SourceOptions;
use crate::config::{Config, McpConfig, OpenApiConfig};

/// All sources, connected.
pub(crate) struct Sources {
    openapi: Vec<OpenApiSource>,
    mcp: Vec<ConnectedSource>,
}

struct OpenApiSource {
    place: String,
    set: ToolSet,
    direct_http: bool,
}

/// The tools of all sources.
pub(crate) struct ProvidedTools {
    /// The names of the sources, in their order.
    names: Vec<String>,
    /// The tools of each source, in the same order.
    pub(crate) sets: Vec<ToolSet>,
    /// URLs to which programs may send requests themselves.
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
            openapi.push(OpenApiSource { place: source.source.clone(), set, direct_http: source.direct_http });
        }
        let mut mcp = Vec::new();
        for source in &config.mcp {
            mcp.push(mcp_source(source)?.connect().await.map_err(source_error)?);
        }
        Ok(Self { openapi, mcp })
    }

    /// Lists the current tools of all sources.
    pub(crate) async fn provided(&self) -> Result<ProvidedTools, Error> {
        let mut provided = ProvidedTools { names: Vec::new(), sets: Vec::new(), base_urls: Vec::new() };
        for source in &self.openapi {
            if source.direct_http {
                provided.base_urls.extend(source.set.base_urls.iter().cloned());
            }
            provided.names.push(source.place.clone());
            provided.sets.push(source.set.clone());
        }
        for source in &self.mcp {
            provided.names.push(source.namespace().to_owned());
            provided.sets.push(source.tools().await.map_err(source_error)?);
        }
        Ok(provided)
    }

    /// Waits until a source reports that its tools have changed.
    pub(crate) async fn changed(&self) {
        let mut waiting: Vec<_> = self.mcp.iter().map(|source| Box::pin(source.changed())).collect();
        std::future::poll_fn(|context| {
            let ready = waiting.iter_mut().any(|source| source.as_mut().poll(context).is_ready());
            if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }

    /// Closes the connections, and ends the programs that were started for them.
    pub(crate) async fn close(self) {
        for source in self.mcp {
            source.close().await;
        }
    }
}

impl ProvidedTools {
    /// Warnings for each source without tools, and for operations that could not be converted, except for filtered
    /// ones.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (name, set) in self.names.iter().zip(&self.sets) {
            let unusable = set.skipped.iter().filter(|skipped| !skipped.reason.is_filter()).count();
            if set.tools.is_empty() {
                warnings.push(format!("`{name}` provides no tools"));
            }
            if unusable > 0 {
                let operations = if unusable == 1 { "operation" } else { "operations" };
                warnings.push(format!("{unusable} {operations} of `{name}` could not be converted to tools"));
            }
        }
        warnings
    }

    /// Prints the warnings on standard error.
    pub(crate) fn warn(&self) {
        let warnings = self.warnings();
        for warning in &warnings {
            say!("warning: {warning}");
        }
        if !warnings.is_empty() {
            say!(
                "hint: `isolette tools list` with the same sources lists all tools, and the operations that could not be converted, with the reason"
            );
        }
    }
}

fn document(config: &OpenApiConfig) -> Result<OpenApi, Error> {
    let mut limits = OpenApiLimits::default();
    let bytes =
        |bytes: Option<u64>, default| bytes.map_or(default, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    limits.operations = config.operations.unwrap_or(limits.operations);
    limits.schema_bytes = bytes(config.schema_bytes, limits.schema_bytes);
    limits.document_bytes = bytes(config.document_bytes, limits.document_bytes);
    let mut document = OpenApi::load(&config.source)?
        .limits(limits)
        .private_addresses(config.private_addresses)
        .errors_as_values(config.errors_as_values);
    for (name, value) in &config.server_variables {
        document = document.server_variable(name, value);
    }
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
                message: "an MCP server needs either a command or a URL".into(),
                hint: "set one of `command` and `url`".into(),
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

/// Makes a name from a command: its last word that is not a flag, without folders, extension and version.
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
    use super::{options::words, *};

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

    const DOCUMENT: &str = r#"{
        "openapi": "3.1.0",
        "info": { "title": "things", "version": "1" },
        "servers": [{ "url": "http://{host}:8000", "variables": { "host": { "default": "10.0.0.1" } } }],
        "paths": {
            "/things": {
                "get": { "operationId": "list_things", "responses": { "200": { "description": "all" } } },
                "post": { "operationId": "add_thing", "responses": { "201": { "description": "added" } } },
                "trace": { "operationId": "trace_thing", "responses": { "200": { "description": "traced" } } }
            }
        }
    }"#;

    fn things(change: impl FnOnce(&mut OpenApiConfig)) -> Result<ToolSet, Error> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("things.json");
        std::fs::write(&file, DOCUMENT).expect("a file");
        let mut config = OpenApiConfig { source: file.display().to_string(), ..OpenApiConfig::default() };
        change(&mut config);
        document(&config)?.tools()
    }

    #[test]
    fn services_of_our_own_can_be_lent() {
        assert!(things(|_| {}).is_err(), "no document decides that");
        let set = things(|config| config.private_addresses = true).unwrap();
        assert_eq!((set.tools.len(), &*set.base_urls[0]), (2, "http://10.0.0.1:8000"));
        let set = things(|config| {
            config.private_addresses = true;
            config.server_variables.insert("host".into(), "10.0.0.2".into());
        });
        assert_eq!(set.unwrap().base_urls[0], "http://10.0.0.2:8000");
        let few = things(|config| (config.private_addresses, config.document_bytes) = (true, Some(10)));
        assert!(few.unwrap_err().to_string().contains("longer than 10 bytes"));
    }

    #[test]
    fn missing_tools_cause_a_warning_unless_a_filter_excludes_them() {
        let warnings = |include: &str| {
            let set = things(|config| {
                config.private_addresses = true;
                config.include = vec![include.into()];
            });
            ProvidedTools { names: vec!["things".into()], sets: vec![set.unwrap()], base_urls: Vec::new() }.warnings()
        };
        assert_eq!(warnings("list_*"), [""; 0]);
        assert_eq!(warnings("*"), ["1 operation of `things` could not be converted to tools"]);
        let none = ProvidedTools { names: vec!["shop".into()], sets: vec![ToolSet::default()], base_urls: Vec::new() };
        assert_eq!(none.warnings(), ["`shop` provides no tools"]);
    }
}
