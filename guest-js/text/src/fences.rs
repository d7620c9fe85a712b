//! Programs in Markdown: the code between fences, with what surrounds it left out. Lines keep their numbers.

use std::borrow::Cow;

/// The languages of blocks that are a program.
const OWN: [&str; 11] =
    ["javascript", "js", "mjs", "cjs", "jsx", "node", "nodejs", "typescript", "ts", "mts", "ecmascript"];
/// Maximum number of blocks that are looked for.
const MOST: usize = 1000;

/// One block of code.
struct Block<'a> {
    language: &'a str,
    /// The number of the first line.
    start: usize,
    /// The number of the line after the last one.
    end: usize,
    /// The indentation of the fence, in bytes.
    indentation: usize,
    is_closed: bool,
}

/// A line that begins a block.
struct Fence<'a> {
    indentation: usize,
    mark: &'a str,
    rest: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let text = line.trim_start_matches([' ', '\t']);
        let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let length = text.len() - text.trim_start_matches(sign).len();
        (length >= 3).then(|| Self {
            indentation: line.len() - text.len(),
            mark: &text[..length],
            rest: text[length..].trim(),
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let text = line.trim();
        text.starts_with(self.mark) && text.trim_start_matches(&self.mark[..1]).is_empty()
    }
}

/// Returns the text without a fence that begins it, up to the last fence like it, which a program may contain too. `None` if
/// it does not begin with one.
pub(crate) fn whole(code: &str) -> Option<Cow<'_, str>> {
    let text = code.trim_start();
    let lines_before = code[..code.len() - text.len()].matches('\n').count();
    let indented = code[..code.len() - text.len()].rsplit('\n').next().unwrap_or_default();
    let fence = Fence::of(text)?;
    let Some((first, _)) = text.split_once('\n') else {
        let inside = text[fence.mark.len()..].trim_end();
        return inside.strip_suffix(fence.mark).map(Cow::Borrowed);
    };
    let first = Fence::of(first)?;
    // A program may begin with a template, although that is unlikely.
    if first.rest.contains('`') || first.rest.contains(char::is_whitespace) {
        return None;
    }
    let lines: Vec<&str> = code.split_inclusive('\n').collect();
    let start = lines_before + 1;
    let last = (start..lines.len()).rev().find(|number| first.is_closed_by(lines[*number]));
    if last.is_none() && first.mark.starts_with('~') {
        return None; // `~~~x` is an expression.
    }
    let end = last.unwrap_or(lines.len());
    let block = Block { language: "", start, end, indentation: indented.len(), is_closed: true };
    Some(Cow::Owned(only(&lines, &[&block])))
}

/// Returns the blocks of a text of one word before the first of them, such as `Program:`. This is valid JavaScript, of a label
/// and templates that are called, which is never meant.
pub(crate) fn after_label(code: &str) -> Option<String> {
    let (before, _) = code.split_once("```")?;
    let word = before.trim().strip_suffix(':')?;
    if word.is_empty() || !word.chars().all(char::is_alphanumeric) { None } else { blocks(code) }
}

/// Returns the blocks of a text that is not valid JavaScript, as CommonMark defines them. `None` if there is none that is
/// certain to be the program.
pub(crate) fn blocks(code: &str) -> Option<String> {
    if !code.contains("```") && !code.contains("~~~") {
        return None;
    }
    let lines: Vec<&str> = code.split_inclusive('\n').collect();
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut open: Option<(Fence<'_>, usize)> = None;
    for (number, line) in lines.iter().enumerate() {
        match &open {
            Some((fence, start)) if fence.is_closed_by(line) => {
                found.push(block(fence, *start, number, true));
                open = None;
            }
            Some(_) => {}
            // Text after ``` cannot contain a backtick: that would be code within a line.
            None if found.len() < MOST => {
                open = Fence::of(line)
                    .filter(|fence| !(fence.mark.starts_with('`') && fence.rest.contains('`')))
                    .map(|fence| (fence, number + 1));
            }
            None => break,
        }
    }
    if let Some((fence, start)) = &open {
        found.push(block(fence, *start, lines.len(), false));
    }
    let own = |block: &&Block<'_>| OWN.iter().any(|own| own.eq_ignore_ascii_case(block.language));
    let mut chosen: Vec<&Block<'_>> = found.iter().filter(own).collect();
    if chosen.is_empty() {
        chosen = found.iter().filter(|block| block.language.is_empty() && block.is_closed).collect();
        // One of several can be what a program printed.
        chosen = (chosen.len() == 1).then_some(chosen)?;
    }
    Some(only(&lines, &chosen))
}

fn block<'a>(fence: &Fence<'a>, start: usize, end: usize, is_closed: bool) -> Block<'a> {
    let tag = fence.rest.trim_start_matches(['{', '.']);
    let is_part = |sign: char| sign.is_alphanumeric() || "_+.#-".contains(sign);
    let length = tag.find(|sign| !is_part(sign)).unwrap_or(tag.len());
    Block { language: &tag[..length], start, end, indentation: fence.indentation, is_closed }
}

/// Returns the lines of the blocks, each at its place, without the indentation of its fence.
fn only(lines: &[&str], blocks: &[&Block<'_>]) -> String {
    let mut text = String::new();
    let mut number = 0;
    for block in blocks {
        text.extend(std::iter::repeat_n('\n', block.start - number));
        for line in &lines[block.start..block.end] {
            let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
            text.push_str(&line[block.indentation.min(spaces)..]);
        }
        number = block.end;
    }
    text
}
