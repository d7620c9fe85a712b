//! `isolette tools`: lists, searches and shows the tools of the same sources that a server uses.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use isolette::{
    Error, Language, SkippedTool, Tool,
    catalog::{Catalog, Detail, SearchQuery, ToolDetails},
};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::{
    config::Config,
    exit,
    exit::Code,
    report::{line, print},
    sandbox_options::one_line,
    sources::{SourceOptions, Sources},
};

const EXIT_CODES: &str = "\
Exit codes:
  0      tools were found
  1      no tool matches, or no tool has that name
  102    a flag, an argument or the configuration is invalid
  104    a source of tools is not reachable
  105    reading or writing failed";

/// List, search and show the tools that programs can call: those of OpenAPI documents and other MCP servers.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

/// The sources of the tools.
#[derive(Debug, Args)]
struct From {
    #[command(flatten)]
    sources: SourceOptions,
    /// Read sources from this file (docs/mcp.md), in addition to the command line.
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List all tools, and the operations of the sources that could not be converted.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        from: From,
    },
    /// Search by words; the best matches come first.
    Search {
        /// The words to search for.
        #[arg(value_name = "WORDS", required = true)]
        words: Vec<String>,
        /// Maximum number of tools to print.
        #[arg(long, value_name = "NUMBER", default_value_t = 10)]
        limit: usize,
        /// The amount of detail for each tool: name, brief, detailed or full.
        #[arg(long, value_name = "DETAIL", default_value = "brief", value_parser = |text: &str| text.parse::<Detail>().map_err(one_line))]
        detail: Detail,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        from: From,
    },
    /// Print the full description of tools, with the declaration for programs of a language.
    Show {
        /// The names of the tools.
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
        /// The language of the declaration.
        #[arg(long, value_name = "LANGUAGE", default_value = "python", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
        lang: Language,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        from: From,
    },
}

pub(crate) fn tools(options: Options) -> Code {
    match look(options) {
        Ok(true) => Code::SUCCESS,
        Ok(false) => Code::FAILURE,
        Err(error) => exit::fail(&error),
    }
}

/// Returns whether something was found.
fn look(options: Options) -> Result<bool, Error> {
    let (Command::List { from, .. } | Command::Search { from, .. } | Command::Show { from, .. }) = &options.command;
    let mut config = Config::read(from.config.as_deref())?;
    from.sources.clone().add_to(&mut config)?;
    let runtime = Runtime::new().map_err(|source| Error::Io { context: "cannot start threads".into(), source })?;
    let (tools, skipped) = runtime.block_on(collect(&config))?;
    let catalog = Catalog::new(tools);
    Ok(match options.command {
        Command::List { json, .. } => list(&catalog, &skipped, json),
        Command::Search { words, limit, detail, json, .. } => {
            search(&catalog, &SearchQuery::new(words.join(" ")).limit(limit).detail(detail), json)
        }
        Command::Show { names, lang, json, .. } => show(&catalog, &names, lang, json),
    })
}

async fn collect(config: &Config) -> Result<(Vec<Tool>, Vec<SkippedTool>), Error> {
    let sources = Sources::connect(config).await?;
    let provided = sources.provided().await;
    sources.close().await;
    let (mut tools, mut skipped) = (Vec::new(), Vec::new());
    for set in provided?.sets {
        tools.extend(set.tools);
        skipped.extend(set.skipped);
    }
    Ok((tools, skipped))
}

fn list(catalog: &Catalog, skipped: &[SkippedTool], json: bool) -> bool {
    let everything = SearchQuery::new("").limit(usize::MAX);
    let found = catalog.search(&everything);
    if json {
        print(&json!({ "tools": found.tools, "skipped": skipped }));
    } else {
        found.tools.iter().for_each(one);
        for skipped in skipped {
            say!("not converted: {}: {}", skipped.what, skipped.reason);
        }
    }
    !found.tools.is_empty()
}

fn search(catalog: &Catalog, query: &SearchQuery, json: bool) -> bool {
    let found = catalog.search(query);
    if json {
        print(&found);
    } else {
        found.tools.iter().for_each(one);
        match found.annotation() {
            _ if found.total == 0 => say!("no tool matches"),
            Some(annotation) => say!("{annotation}"),
            None => {}
        }
    }
    found.total > 0
}

fn show(catalog: &Catalog, names: &[String], language: Language, json: bool) -> bool {
    let schemas = catalog.schemas(names, Detail::Full);
    if json {
        print(&schemas);
    } else {
        let named = schemas.tools.iter().filter_map(|tool| catalog.get(&tool.name).cloned());
        let declarations = Catalog::new(named.collect::<Vec<_>>()).declarations(language);
        if !schemas.tools.is_empty() {
            line(declarations.trim_end());
        }
        for missing in &schemas.missing {
            say!("error: no tool has the name `{}`", missing.name);
            if !missing.nearest.is_empty() {
                say!("hint: did you mean `{}`?", missing.nearest.join("` or `"));
            }
        }
    }
    schemas.missing.is_empty()
}

fn one(tool: &ToolDetails) {
    let description = tool.description.as_deref().unwrap_or_default();
    let first = description.lines().next().unwrap_or_default();
    line(format!("{:<32} {first}", tool.name).trim_end());
    for parameter in tool.parameters.iter().flat_map(|parameters| parameters.lines()) {
        line(&format!("  {parameter}"));
    }
    for (what, schema) in [("arguments", &tool.input_schema), ("result", &tool.output_schema)] {
        if let Some(schema) = schema {
            line(&format!("  {what}: {schema}"));
        }
    }
}
