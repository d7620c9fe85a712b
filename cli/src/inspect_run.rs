//! `isolette inspect-run`: a page that shows what runs did.

use std::{
    fs::File,
    io::{self, BufReader, IsTerminal as _, Read as _, Write as _},
    path::{Component, Path, PathBuf},
};

use clap::Args;
use isolette::Error;
use isolette_inspector::{Document, InspectorError, Pictures, page, perfetto};

use crate::{
    exit::{self, Code},
    report, service,
    service::ServerOptions,
};

const EXAMPLES: &str = "\
Examples:
  isolette run program.py --audit audit.jsonl --audit-arguments --json > result.json
  isolette inspect-run audit.jsonl result.json > run.html
  isolette inspect-run audit.jsonl --perfetto > trace.json";

/// Print a page that shows what runs did: their calls with rule and outcome, output, value, files, limits. It is one HTML
/// file that needs no network. A server over HTTP has a page of its own, which shows runs while they last: /inspector.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InspectRun {
    /// Files of --audit, and what `run --json` printed, which has output and value; `-` for standard input; or a run on the
    /// server (run-…).
    #[arg(value_name = "FILE|RUN", required = true)]
    files: Vec<PathBuf>,
    /// The folder of `run --output`, from which pictures that a result names are shown.
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Show only the runs whose identifiers begin with this.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Print a trace for Perfetto (https://ui.perfetto.dev) instead.
    #[arg(long, conflicts_with = "json")]
    perfetto: bool,
    #[command(flatten)]
    server: ServerOptions,
    /// Print what the page shows as JSON instead.
    #[arg(long)]
    json: bool,
}

pub(crate) fn inspect_run(options: &InspectRun) -> Code {
    if let Err(error) = options.check() {
        return exit::fail(&error);
    }
    if let Some(run) = options.on_server() {
        let read = |document| serde_json::from_value(document).map_err(|error| invalid(run, &error.to_string()));
        return service::document(run, &options.server, |document| options.print(&read(document)?));
    }
    match options.read().and_then(|document| options.print(&document)) {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

impl InspectRun {
    fn check(&self) -> Result<(), Error> {
        if !self.json && !self.perfetto && io::stdout().is_terminal() {
            return Err(Error::invalid(
                "a page is not for a terminal",
                "redirect it: isolette inspect-run … > run.html",
            ));
        }
        Ok(())
    }

    /// The run on the server, unless it is a file.
    fn on_server(&self) -> Option<&str> {
        let [only] = &self.files[..] else { return None };
        only.to_str().filter(|name| name.starts_with("run-") && !only.exists())
    }

    fn read(&self) -> Result<Document, Error> {
        let mut document = Document::default();
        let run = self.run.as_deref().unwrap_or_default();
        for path in &self.files {
            add(&mut document, path, run).map_err(|error| invalid(&path.display().to_string(), &error.to_string()))?;
        }
        let mut document = document.finished().map_err(|error| invalid("the files", &error.to_string()))?;
        if document.runs.is_empty() {
            return Err(match &self.run {
                Some(_) => {
                    Error::invalid("there is no such run in these files", "leave `--run` out to show all of them")
                }
                None => Error::invalid(
                    "there is no run in these files",
                    "name a file of --audit to which a run was written",
                ),
            });
        }
        if let Some(folder) = &self.output {
            add_pictures(&mut document, folder);
        }
        Ok(document)
    }

    fn print(&self, document: &Document) -> Result<(), Error> {
        if self.json {
            report::print(document);
        } else if self.perfetto {
            report::print(&perfetto(document));
        } else {
            let mut stdout = io::stdout();
            let written = stdout.write_all(page(document).as_bytes()).and_then(|()| stdout.flush());
            written.map_err(|error| Error::io("the page cannot be written", error))?;
        }
        Ok(())
    }
}

/// Adds the runs of a file whose identifiers begin with `run`.
fn add(document: &mut Document, path: &Path, run: &str) -> Result<(), InspectorError> {
    if path == Path::new("-") {
        return document.add_runs(io::stdin().lock(), run);
    }
    document.add_runs(BufReader::new(File::open(path)?), run)
}

/// Adds the pictures that are as the results say. Others have been changed, or are those of another run.
fn add_pictures(document: &mut Document, folder: &Path) {
    let mut pictures = Pictures::default();
    for file in document.runs.iter_mut().flat_map(|run| &mut run.files) {
        let Some(name) = file.path.strip_prefix("/output/") else { continue };
        // Only names below the folder.
        if Path::new(name).components().any(|part| !matches!(part, Component::Normal(_))) {
            continue;
        }
        let mut bytes = Vec::new();
        let wanted = pictures.wanted(file);
        if File::open(folder.join(name)).and_then(|file| file.take(wanted).read_to_end(&mut bytes)).is_ok() {
            pictures.add(file, &bytes);
        }
    }
    document.notes.extend(pictures.note(&format!("they are in `{}`", folder.display())));
}

fn invalid(what: &str, text: &str) -> Error {
    let (message, hint) = text.split_once("\nhint: ").unwrap_or((text, "check the path"));
    Error::invalid(format!("`{what}`: {message}"), hint)
}
