//! A `return` outside of a function leaves a block around the whole program, and what it returns is the last thing that was
//! evaluated, which is the value of the program.

use super::{
    declarations::begins_statement,
    edits::Edits,
    token::{Kind, Token},
};

/// What the block is called. A program that calls something of its own so is none that anybody would write.
const LABEL: &str = "__program__";

/// Rewrites every `return` that belongs to the program itself. Says whether there was one.
pub(super) fn rewrite(source: &str, tokens: &[Token], edits: &mut Edits) -> bool {
    let mut behind = 0;
    for (index, token) in tokens.iter().enumerate() {
        if index >= behind && token.in_program && token.is_keyword(source, "return") {
            behind = rewrite_one(source, tokens, index, edits) + 1;
        }
    }
    let found = behind > 0;
    if found {
        let begin = directives(source, tokens);
        edits.replace(begin, begin, format!(";{LABEL}: {{{}", functions(source, tokens)));
        edits.replace(source.len(), source.len(), "\n}");
    }
    found
}

/// Gives the last token of the statement, but for its semicolon.
fn rewrite_one(source: &str, tokens: &[Token], index: usize, edits: &mut Edits) -> usize {
    let keyword = &tokens[index];
    let last = end_of_argument(source, tokens, index);
    let semicolon = tokens.get(last + 1).filter(|next| next.is_mark(source, ";"));
    let argument_end = tokens[last].end;
    let end = semicolon.map_or(argument_end, |semicolon| semicolon.end);
    if last == index {
        edits.replace(keyword.start, end, format!("{{ (void 0); break {LABEL}; }}"));
    } else {
        // As long as the keyword, so that columns stay too.
        edits.replace(keyword.start, keyword.end, "{    (");
        edits.replace(argument_end, end, format!("); break {LABEL}; }}"));
    }
    last
}

/// The last token of what is returned; the keyword itself if that is nothing.
fn end_of_argument(source: &str, tokens: &[Token], index: usize) -> usize {
    let depth = tokens[index].depth;
    let mut last = index;
    let mut inside = false;
    for (at, token) in tokens.iter().enumerate().skip(index + 1) {
        if inside {
            // Of what is in brackets, only their end is as deep as the statement itself.
            if token.depth == depth {
                inside = token.kind == Kind::Literal && token.frame.is_some();
            }
        } else {
            let is_next_line =
                token.newline && (last == index || tokens[last].ends_operand && !continues(source, token));
            if token.depth < depth || token.is_mark(source, ";") || token.is_mark(source, "}") || is_next_line {
                break;
            }
            inside = token.frame.is_some();
        }
        last = at;
    }
    last
}

/// Whether an expression that could end before a line break goes on behind it.
pub(super) fn continues(source: &str, token: &Token) -> bool {
    match token.kind {
        Kind::Mark => {
            !matches!(token.text(source), "{" | "!" | "~" | "++" | "--" | "}" | "@") || is_not_equal(source, token)
        }
        Kind::Name => matches!(token.text(source), "in" | "instanceof"),
        Kind::Literal => source[token.start..].starts_with('`'),
        Kind::Property | Kind::Text => false,
    }
}

fn is_not_equal(source: &str, token: &Token) -> bool {
    source[token.start..].starts_with("!=")
}

/// Where the program's own statements begin: behind `"use strict"`, which must stay first.
fn directives(source: &str, tokens: &[Token]) -> usize {
    let mut end = tokens.first().map_or(0, |first| first.start);
    let mut at = 0;
    while let Some(directive) = tokens.get(at).filter(|token| token.kind == Kind::Text && token.depth == 0) {
        match tokens.get(at + 1) {
            Some(next) if next.is_mark(source, ";") => (end, at) = (next.end, at + 2),
            Some(next) if !next.newline || continues(source, next) => break,
            _ => (end, at) = (directive.end, at + 1),
        }
    }
    end
}

/// Functions in a block are not always seen outside of it: these are made globals when the block begins.
fn functions(source: &str, tokens: &[Token]) -> String {
    let mut names = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.depth > 0 || !token.is_keyword(source, "function") {
            continue;
        }
        let is_async = index > 0 && tokens[index - 1].is_keyword(source, "async");
        if !begins_statement(source, tokens, index - usize::from(is_async)) {
            continue;
        }
        let is_generator = tokens.get(index + 1).is_some_and(|next| next.is_mark(source, "*"));
        if let Some(name) = tokens.get(index + 1 + usize::from(is_generator)).filter(|next| next.kind == Kind::Name) {
            names.push(name.text(source));
        }
    }
    if names.is_empty() { String::new() } else { format!("Object.assign(globalThis, {{ {} }});", names.join(", ")) }
}
