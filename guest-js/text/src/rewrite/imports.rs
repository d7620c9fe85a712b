//! `import` and `export` of modules, in a script: imports are loaded before the program starts, exports only declare.

use super::{
    edits::Edits,
    lexer::Lexer,
    statements::{begins_statement, closing},
    token::{Kind, Token},
};

/// The placeholder of an import until its used names are known. It must be a name that no program uses.
const PLACE: &str = "__isolette_import_";

/// The replacement of `import.meta`, which the parser of TypeScript accepts in modules only. It has the same length, so that
/// columns do not change.
const META: &str = "import$meta";

/// The prelude's function that checks the exports of a module: a global that no identifier can name.
const CHECKED: &str = "globalThis[\"import.names\"]";

/// The names of one `import`.
#[derive(Debug)]
struct Import {
    /// The specifier as written, with its quotes; of `import a = b.c`, the part after the `=`.
    module: String,
    /// Names in the module, and in the program.
    names: Vec<(String, String)>,
    whole: Option<String>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Module,
    /// `import a = require("b")` of TypeScript.
    Require,
    /// `import a = b.c` of TypeScript.
    Alias,
}

/// The imports that were removed from a program.
#[derive(Debug)]
pub struct Imports(Vec<Import>);

/// Returns the program with a placeholder for each import, and of its exports only the declarations; `None` if it is not a
/// module.
pub(super) fn take_out(source: &str) -> Option<(String, Imports)> {
    let tokens = Lexer::new(source).tokens();
    let mut edits = Edits::default();
    let mut imports = Vec::new();
    let mut is_module = false;
    for triple in tokens.windows(3).filter(|triple| is_meta(source, triple)) {
        is_module = true;
        edits.replace_lines(source, triple[0].start, triple[2].end, META);
    }
    // If the program begins with imports, each stays on its line. Others are moved to the start.
    let mut leading = true;
    let mut behind_leading = 0;
    let mut late = String::new();
    let mut end = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.depth > 0 || index < end || !begins_statement(source, &tokens, index) {
            continue;
        }
        if token.is_keyword(source, "import") {
            if let Some((import, behind)) = import(source, &tokens, index) {
                is_module = true;
                end = behind;
                let last = tokens[behind - 1].end;
                let place = import.as_ref().map_or(String::new(), |_| format!("{PLACE}{};", imports.len()));
                let moves = !leading && import.as_ref().is_some_and(|import| import.form == Form::Module);
                edits.replace_lines(source, token.start, last, if moves { ";" } else { &place });
                if moves {
                    late.push_str(&place);
                }
                if leading {
                    behind_leading = last;
                }
                imports.extend(import);
                continue;
            }
        } else if token.is_keyword(source, "export") && export(source, &tokens, index, &mut edits).is_some() {
            is_module = true;
        }
        leading &= token.kind == Kind::Text || token.is_mark(source, ";");
    }
    if !late.is_empty() {
        edits.replace(behind_leading, behind_leading, late);
    }
    is_module.then(|| (edits.apply(source).unwrap_or_else(|| source.to_owned()), Imports(imports)))
}

impl Imports {
    /// Inserts the imports as statements of a script. With `used_only`, names that the program does not use are omitted, and
    /// imports with only such names: in TypeScript they are types.
    pub fn put_back(&self, source: &str, used_only: bool) -> String {
        let tokens = Lexer::new(source).tokens();
        let mut edits = Edits::default();
        for (index, token) in tokens.iter().enumerate() {
            if token.is_keyword(source, META) {
                edits.replace(token.start, token.end, "import.meta");
            }
            let number = token.text(source).strip_prefix(PLACE).and_then(|number| number.parse::<usize>().ok());
            if let Some(import) = number.and_then(|number| self.0.get(number)) {
                let semicolon = tokens.get(index + 1).filter(|next| next.is_mark(source, ";"));
                let end = semicolon.map_or(token.end, |semicolon| semicolon.end);
                let is_used = |name: &str| !used_only || uses(source, &tokens, name);
                edits.replace(token.start, end, import.text(is_used));
            }
        }
        edits.apply(source).unwrap_or_else(|| source.to_owned())
    }
}

impl Import {
    fn text(&self, is_used: impl Fn(&str) -> bool) -> String {
        let Import { module, names, whole, form } = self;
        let has_names = whole.is_some() || !names.is_empty();
        let whole = whole.as_deref().filter(|name| is_used(name));
        let names: Vec<_> = names.iter().filter(|(_, local)| is_used(local)).collect();
        if has_names && whole.is_none() && names.is_empty() {
            return ";".to_owned();
        }
        let loaded = match form {
            Form::Module => format!("await import({module})"),
            Form::Require => format!("require({module})"),
            Form::Alias => module.clone(),
        };
        let pattern = names.iter().map(|(name, local)| format!("{name}: {local}")).collect::<Vec<_>>().join(", ");
        let asked = names.iter().map(|(name, _)| quoted(name)).collect::<Vec<_>>().join(", ");
        match whole {
            None if names.is_empty() => format!("{loaded};"),
            None => format!("const {{{pattern}}} = {CHECKED}({loaded}, {module}, [{asked}]);"),
            Some(whole) if names.is_empty() => format!("const {whole} = {loaded};"),
            Some(whole) => {
                format!("const {whole} = {loaded}, {{{pattern}}} = {CHECKED}({whole}, {module}, [{asked}]);")
            }
        }
    }
}

/// An imported name as a string: it may already be one.
fn quoted(name: &str) -> String {
    if name.starts_with(['"', '\'']) { name.to_owned() } else { format!("\"{name}\"") }
}

/// Whether the name is used as a value anywhere.
fn uses(source: &str, tokens: &[Token], name: &str) -> bool {
    tokens.iter().enumerate().any(|(index, token)| {
        let is_key = || tokens.get(index + 1).is_some_and(|next| next.is_mark(source, ":"));
        let is_member = || {
            let before = index.checked_sub(1).and_then(|before| tokens.get(before));
            before.is_some_and(|before| before.is_mark(source, ".") || before.is_mark(source, "?."))
        };
        match token.kind {
            Kind::Name => token.text(source) == name,
            // In an object literal, a name may stand for its key and its value.
            Kind::Property => token.text(source) == name && !is_key() && !is_member(),
            _ => false,
        }
    })
}

fn is_meta(source: &str, tokens: &[Token]) -> bool {
    let [import, dot, meta] = tokens else { return false };
    import.is_keyword(source, "import") && dot.is_mark(source, ".") && meta.text(source) == "meta"
}

/// The import, if it is more than types, and the index of the token after it. `None` for other statements.
fn import(source: &str, tokens: &[Token], index: usize) -> Option<(Option<Import>, usize)> {
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
            whole = Some(tokens.get(at + 2)?.text(source).to_owned());
            at += 3;
        } else if token.is_mark(source, "{") {
            let end = closing(tokens, at)?;
            members(source, tokens.get(at + 1..end)?, &mut names);
            at = end + 1;
        } else if token.is_mark(source, ",") || token.is_keyword(source, "from") && at > first {
            at += 1;
        } else if token.is_mark(source, "=") && at == first + 1 {
            let (import, end) = assigned(source, tokens, at)?;
            return Some(((!only_types).then_some(import), end));
        } else if token.kind == Kind::Name && at == first {
            names.push(("default".to_owned(), token.text(source).to_owned()));
            at += 1;
        } else {
            return None;
        }
    }
    let module = tokens.get(at)?.text(source).to_owned();
    let mut end = at;
    let follows = |end: usize, word| tokens.get(end + 1).is_some_and(|next| next.is_keyword(source, word));
    if follows(end, "with")
        || follows(end, "assert") && tokens.get(end + 2).is_some_and(|next| next.is_mark(source, "{"))
    {
        end = closing(tokens, end + 2)?;
    }
    let import = Import { module, names, whole, form: Form::Module };
    Some(((!only_types).then_some(import), behind_semicolon(source, tokens, end)))
}

/// `= require("a")` and `= a.b`, after a name.
fn assigned(source: &str, tokens: &[Token], equals: usize) -> Option<(Import, usize)> {
    let whole = Some(tokens.get(equals - 1)?.text(source).to_owned());
    let first = tokens.get(equals + 1)?;
    if first.is_keyword(source, "require") && tokens.get(equals + 2)?.is_mark(source, "(") {
        let module = tokens.get(equals + 3).filter(|token| token.kind == Kind::Text)?.text(source).to_owned();
        let end = behind_semicolon(source, tokens, closing(tokens, equals + 2)?);
        return Some((Import { module, names: Vec::new(), whole, form: Form::Require }, end));
    }
    let mut last = equals + 1;
    while tokens.get(last + 1).is_some_and(|dot| dot.is_mark(source, ".")) {
        last += 2;
    }
    let module = source.get(first.start..tokens.get(last)?.end)?.to_owned();
    let end = behind_semicolon(source, tokens, last);
    Some((Import { module, names: Vec::new(), whole, form: Form::Alias }, end))
}

fn behind_semicolon(source: &str, tokens: &[Token], last: usize) -> usize {
    last + 1 + usize::from(tokens.get(last + 1).is_some_and(|next| next.is_mark(source, ";")))
}

/// `import type` of TypeScript, which is not an import of a name `type`.
fn is_of_types(source: &str, tokens: &[Token], at: usize) -> bool {
    let is = |offset: usize, word| tokens.get(at + offset).is_some_and(|token| token.is_keyword(source, word));
    let is_name = tokens.get(at + 1).is_some_and(|token| token.kind == Kind::Name);
    let opens = |mark| tokens.get(at + 1).is_some_and(|token| token.is_mark(source, mark));
    is(0, "type") && (opens("{") || opens("*") || is_name && (!is(1, "from") || is(2, "from")))
}

/// `a, b as c, default as d`; names that are marked as types are omitted.
fn members(source: &str, tokens: &[Token], names: &mut Vec<(String, String)>) {
    for member in tokens.split(|token| token.is_mark(source, ",")) {
        let text = |token: &Token| token.text(source).to_owned();
        match member {
            [name] => names.push((text(name), text(name))),
            [name, as_, local] if as_.text(source) == "as" => names.push((text(name), text(local))),
            _ => {}
        }
    }
}

/// An export is declared or evaluated as usual; a default export at the end is the value of the program.
fn export(source: &str, tokens: &[Token], index: usize, edits: &mut Edits) -> Option<()> {
    let keyword = tokens.get(index)?;
    let next = tokens.get(index + 1)?;
    if next.is_keyword(source, "default") {
        let value = tokens.get(index + 2)?;
        let after = |offset| tokens.get(index + 2 + offset);
        let named = |offset: usize| {
            let is_generator = after(offset).is_some_and(|token: &Token| token.is_mark(source, "*"));
            let name = after(offset + usize::from(is_generator));
            name.is_some_and(|token| token.kind == Kind::Name && token.text(source) != "extends")
        };
        let is_declaration = match value.text(source) {
            "function" | "class" => named(1),
            "async" => after(1).is_some_and(|token| token.is_keyword(source, "function")) && named(2),
            "abstract" | "interface" => named(1),
            _ => false,
        };
        edits.replace_lines(source, keyword.start, value.start, if is_declaration { "" } else { "0, " });
    } else if next.is_mark(source, "=") {
        edits.replace(keyword.start, keyword.end, "module.exports");
    } else if next.is_mark(source, "{") || next.is_mark(source, "*") || is_of_types(source, tokens, index + 1) {
        let only_types = next.is_keyword(source, "type");
        let opening = index + 1 + usize::from(only_types);
        if only_types && !(tokens.get(opening)?.is_mark(source, "{") || tokens.get(opening)?.is_mark(source, "*")) {
            // A declaration of a type.
            edits.replace_lines(source, keyword.start, next.start, "");
            return Some(());
        }
        let mut end = if tokens.get(opening)?.is_mark(source, "{") { closing(tokens, opening)? } else { opening };
        let mut module = "";
        while let Some(token) = tokens.get(end + 1).filter(|token| {
            token.kind == Kind::Text
                || token.is_keyword(source, "from")
                || token.is_keyword(source, "as")
                || token.is_mark(source, ";")
                || token.kind == Kind::Name && tokens[end].is_keyword(source, "as")
        }) {
            end += 1;
            if token.kind == Kind::Text && tokens[end - 1].is_keyword(source, "from") {
                module = token.text(source);
            }
            if token.is_mark(source, ";") {
                break;
            }
        }
        let loaded = if module.is_empty() || only_types { ";".to_owned() } else { format!("await import({module});") };
        edits.replace_lines(source, keyword.start, tokens[end].end, &loaded);
    } else {
        edits.replace_lines(source, keyword.start, next.start, "");
    }
    Some(())
}
