//! Lists the tools of a sandbox, in as much detail as a prompt has room for.

use std::{collections::BTreeMap, fmt::Write as _};

use isolette::Language;
use isolette::{
    Tool,
    catalog::{Catalog, Style},
};
use isolette_tools::{clipped, declarations};

use super::calling::how_to_call;

/// Maximum length of the listing in bytes: some 1,500 tokens.
const ROOM: usize = 6_000;
/// Maximum length of the sentence about one tool, in characters.
const SENTENCE: usize = 160;
/// Maximum number of namespaces that are listed with a count of their own.
const NAMESPACES: usize = 40;

/// Returns the full declarations if they fit, else one line for each tool, else only the names, else counts by
/// namespace.
pub(super) fn tools(catalog: &Catalog, style: Style) -> String {
    let tools = catalog.tools();
    if tools.is_empty() {
        return "- none\n".into();
    }
    let mut text = how_to_call(style);
    let fits = |listing: &String| listing.len() <= ROOM;
    // With many tools, the detailed listings cannot fit and are not generated.
    let few = tools.len() <= 100;
    let listing = few
        .then(|| format!("```{}\n{}\n```\n", fence(style.language), catalog.declarations(style).trim_end()))
        .filter(fits)
        .or_else(|| few.then(|| lines(tools, |tool| declarations::signature(tool, style))).filter(fits))
        .or_else(|| (tools.len() <= 400).then(|| lines(tools, |tool| tool.name().to_owned())).filter(fits))
        .unwrap_or_else(|| counts(tools));
    text.push_str(&listing);
    text.push_str(HOW_TO_FIND);
    text
}

fn fence(language: Language) -> &'static str {
    match language {
        Language::Python => "python",
        _ => "typescript",
    }
}

/// This text is the same in every language.
const HOW_TO_FIND: &str =
    "In a program, `tools.search(\"words\")` finds tools and `tools.describe(\"<name>\")` describes one.\n";

fn lines(tools: &[Tool], head: impl Fn(&Tool) -> String) -> String {
    let mut text = String::new();
    for tool in tools {
        let _ = match first_sentence(tool.description()) {
            sentence if sentence.is_empty() => writeln!(text, "- {}", head(tool)),
            sentence => writeln!(text, "- {}: {sentence}", head(tool)),
        };
    }
    text
}

fn counts(tools: &[Tool]) -> String {
    let mut namespaces = BTreeMap::<&str, usize>::new();
    for tool in tools {
        let namespace = tool.name().rsplit_once('.').map_or("", |(namespace, _)| namespace);
        *namespaces.entry(namespace).or_default() += 1;
    }
    let mut text = format!("There are {} tools, too many to list here:\n", tools.len());
    for (namespace, count) in namespaces.iter().take(NAMESPACES) {
        let _ = match *namespace {
            "" => writeln!(text, "- {count} without a namespace"),
            namespace => writeln!(text, "- {count} in `{namespace}`"),
        };
    }
    if namespaces.len() > NAMESPACES {
        let _ = writeln!(text, "- and more in {} other namespaces", namespaces.len() - NAMESPACES);
    }
    text
}

/// Returns the text up to the first full stop, cut to the maximum length.
fn first_sentence(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence);
    clipped(sentence.trim_end_matches('.'), SENTENCE).into_owned()
}
