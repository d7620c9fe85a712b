//! `import` and `export` of modules, in a script: the first loads when its turn comes, the second only declares.

use super::{
    declarations::{begins_statement, closing},
    edits::Edits,
    token::{Kind, Token},
};

/// Rewrites both. Says whether there were any.
pub(super) fn rewrite(source: &str, tokens: &[Token], edits: &mut Edits) -> bool {
    let mut found = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.depth > 0 || !begins_statement(source, tokens, index) {
            continue;
        }
        if token.is_keyword(source, "import") {
            found |= import(source, tokens, index, edits).is_some();
        } else if token.is_keyword(source, "export") {
            found |= export(source, tokens, index, edits).is_some();
        }
    }
    found
}

/// `import a, { b as c } from "x"` becomes `var {default: a, b: c} = await import("x")`.
fn import(source: &str, tokens: &[Token], index: usize, edits: &mut Edits) -> Option<()> {
    let keyword = tokens.get(index)?;
    let mut at = index + 1;
    let only_types = is_of_types(source, tokens, at);
    at += usize::from(only_types);
    let first = at;
    let mut names = Vec::new();
    let mut whole = None;
    loop {
        let token = tokens.get(at)?;
        if token.kind == Kind::Text {
            break;
        } else if token.is_mark(source, "*") {
            whole = Some(tokens.get(at + 2)?.text(source));
            at += 3;
        } else if token.is_mark(source, "{") {
            let end = closing(tokens, at)?;
            members(source, tokens.get(at + 1..end)?, &mut names);
            at = end + 1;
        } else if token.is_mark(source, ",") || token.is_keyword(source, "from") && at > first {
            at += 1;
        } else if token.kind == Kind::Name && at == first {
            names.push(format!("default: {}", token.text(source)));
            at += 1;
        } else {
            return None;
        }
    }
    let module = tokens.get(at)?;
    let mut end = at;
    if tokens.get(end + 1).is_some_and(|next| next.is_keyword(source, "with")) {
        end = closing(tokens, end + 2)?;
    }
    if tokens.get(end + 1).is_some_and(|next| next.is_mark(source, ";")) {
        end += 1;
    }
    let loaded = format!("await import({})", module.text(source));
    let names = names.join(", ");
    let text = match whole {
        _ if only_types => String::new(),
        None if names.is_empty() => format!("{loaded};"),
        None => format!("var {{{names}}} = {loaded};"),
        Some(whole) if names.is_empty() => format!("var {whole} = {loaded};"),
        Some(whole) => format!("var {whole} = {loaded}, {{{names}}} = {whole};"),
    };
    edits.replace_lines(source, keyword.start, tokens[end].end, &text);
    Some(())
}

/// `import type` of TypeScript, which is not the import of something that is called `type`.
fn is_of_types(source: &str, tokens: &[Token], at: usize) -> bool {
    let is = |offset: usize, word| tokens.get(at + offset).is_some_and(|token| token.is_keyword(source, word));
    let is_name = tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Name);
    let opens = |mark| tokens.get(at + 1).is_some_and(|token| token.is_mark(source, mark));
    is(0, "type") && (opens("{") || opens("*") || is_name && (!is(1, "from") || is(2, "from")))
}

/// `a, b as c, default as d`; what is marked as a type is left out.
fn members(source: &str, tokens: &[Token], names: &mut Vec<String>) {
    for member in tokens.split(|token| token.is_mark(source, ",")) {
        match member {
            [name] => names.push(name.text(source).to_owned()),
            [name, _, local] => names.push(format!("{}: {}", name.text(source), local.text(source))),
            _ => {}
        }
    }
}

/// What is exported is declared or evaluated all the same; a default export is the value of the program if it comes last.
fn export(source: &str, tokens: &[Token], index: usize, edits: &mut Edits) -> Option<()> {
    let keyword = tokens.get(index)?;
    let next = tokens.get(index + 1)?;
    if next.is_keyword(source, "default") {
        let value = tokens.get(index + 2)?;
        let after = |offset| tokens.get(index + 2 + offset);
        let named = |offset: usize| {
            after(offset).is_some_and(|token: &Token| token.kind == Kind::Name && token.text(source) != "extends")
        };
        let is_declaration = match value.text(source) {
            "function" | "class" => named(1),
            "async" => after(1).is_some_and(|token| token.is_keyword(source, "function")) && named(2),
            _ => false,
        };
        edits.replace_lines(source, keyword.start, value.start, if is_declaration { "" } else { "0, " });
    } else if next.is_mark(source, "{") || next.is_mark(source, "*") {
        let mut end = if next.is_mark(source, "{") { closing(tokens, index + 1)? } else { index + 1 };
        while let Some(token) = tokens.get(end + 1).filter(|token| {
            token.kind == Kind::Text
                || token.is_keyword(source, "from")
                || token.is_keyword(source, "as")
                || token.is_mark(source, ";")
        }) {
            end += 1;
            if token.is_mark(source, ";") {
                break;
            }
        }
        edits.replace_lines(source, keyword.start, tokens[end].end, ";");
    } else {
        edits.replace_lines(source, keyword.start, next.start, "");
    }
    Some(())
}
