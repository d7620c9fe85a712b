//! `isolette tools`: lists, searches and shows the tools of the same sources that a server uses.

use std::{path::PathBuf, process::ExitCode};

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
    report::{line, print},
    sandbox_options::one_line,
    sources::{SourceOptions, Sources},
};

const EXIT_CODES: &str = "\
Exit codes:
  0      done; something was found
  1      no tool matches, or there is none of that name
  102    a flag, an argument or the configuration cannot be used
  104    a source of tools cannot be reached
  105    reading or writing failed";

/// Look at the tools that programs may call: those of OpenAPI documents and other MCP servers.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

/// Where the tools are.
#[derive(Debug, Args)]
struct From {
    #[command(flatten)]
    sources: SourceOptions,
    /// Take sources from this file (docs/mcp.md), besides those of the command line.
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List every tool, and what of the sources is none.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        from: From,
    },
    /// Search by words; the best come first.
    Search {
        /// What to search for.
        #[arg(value_name = "WORDS", required = true)]
        words: Vec<String>,
        /// How many to print at most.
        #[arg(long, value_name = "NUMBER", default_value_t = 10)]
        limit: usize,
        /// How much to print of each: name, brief, detailed or full.
        #[arg(long, value_name = "DETAIL", default_value = "brief", value_parser = |text: &str| text.parse::<Detail>().map_err(one_line))]
        detail: Detail,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        from: From,
    },
    /// Print all about some tools, as programs of a language would declare them.
    Show {
        /// Their names.
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
        /// The language.
        #[arg(long, value_name = "LANGUAGE", default_value = "python", value_parser = |text: &str| text.parse::<Language>().map_err(one_line))]
        lang: Language,
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        from: From,
    },
}

pub(crate) fn tools(options: Options) -> ExitCode {
    match look(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
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
    let lent = sources.lent().await;
    sources.close().await;
    let (mut tools, mut skipped) = (Vec::new(), Vec::new());
    for set in lent?.sets {
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
            say!("no tool: {}: {}", skipped.what, skipped.reason);
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
            say!("error: there is no tool `{}`", missing.name);
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
