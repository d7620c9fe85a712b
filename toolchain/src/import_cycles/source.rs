//! Reads which modules, names and paths the text of one module contains.

use std::collections::BTreeSet;

use super::{
    conditions::requires_tests,
    tokens::{Token, tokens},
};

/// One module's own text.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) imports: Vec<Import>,
    /// Paths in code that begin with `crate`, `self` or `super`.
    pub(super) paths: Vec<Path>,
    /// Names of items that are defined here.
    pub(super) items: BTreeSet<String>,
    /// Modules that are declared here, with the text of inline modules.
    pub(super) modules: Vec<(String, Option<Source>)>,
}

/// One name that a `use` imports.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) path: Path,
    /// Its local name; `None` for all names of a module.
    pub(super) name: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

const ITEMS: [&str; 8] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];

impl Source {
    pub(super) fn read(text: &str) -> Self {
        Reader { tokens: tokens(text), at: 0 }.module()
    }
}

struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    fn take(&mut self) -> &'a str {
        let text = self.peek(0);
        self.at += 1;
        text
    }

    /// Takes the next token if it is this one.
    fn take_if(&mut self, text: &str) -> bool {
        let found = self.peek(0) == text;
        self.at += usize::from(found);
        found
    }

    fn is_word(&self, ahead: usize) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(Token::is_word)
    }

    /// Reads to the end of the text, or past the brace that closes an inline module.
    fn module(&mut self) -> Source {
        let mut source = Source::default();
        let mut depth = 0_usize;
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "#" if self.peek(1) == "[" => {
                    self.at += 1;
                    if self.take_attribute_for_tests() {
                        self.skip_item();
                    }
                }
                "#" if self.peek(1) == "!" && self.peek(2) == "[" => {
                    self.at += 2;
                    if self.take_attribute_for_tests() {
                        self.at = self.tokens.len();
                    }
                }
                "use" if self.peek(1) != "<" => {
                    self.at += 1;
                    self.import_tree(&[], &mut source.imports);
                }
                "mod" if depth == 0 && self.is_word(1) => self.declared_module(&mut source),
                "crate" | "self" | "super" if self.peek(1) == "::" => {
                    let line = self.tokens[self.at].line;
                    source.paths.push(Path { segments: self.segments(), line });
                }
                "macro_rules" if depth == 0 && self.peek(1) == "!" => {
                    self.at += 2;
                    source.items.insert(self.take().to_owned());
                }
                word if depth == 0 && ITEMS.contains(&word) && self.is_word(1) => {
                    source.items.insert(self.peek(1).to_owned());
                    self.at += 1;
                }
                "{" | "(" | "[" => {
                    depth += 1;
                    self.at += 1;
                }
                "}" | ")" | "]" => {
                    self.at += 1;
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                }
                _ => self.at += 1,
            }
        }
        source
    }

    fn declared_module(&mut self, source: &mut Source) {
        self.at += 1;
        let name = self.take().to_owned();
        let inline = self.take_if("{").then(|| self.module());
        // Files with tests have such names even if the attribute is missing.
        if name != "tests" {
            source.modules.push((name, inline));
        }
    }

    /// Words with `::` between them.
    fn segments(&mut self) -> Vec<String> {
        let mut segments = vec![self.take().to_owned()];
        while self.peek(0) == "::" && self.is_word(1) {
            self.at += 1;
            segments.push(self.take().to_owned());
        }
        segments
    }

    /// One branch of a `use`, after its prefix.
    fn import_tree(&mut self, before: &[String], imports: &mut Vec<Import>) {
        let mut segments = before.to_vec();
        // A path in another crate.
        self.take_if("::");
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        loop {
            if self.take_if("{") {
                while self.at < self.tokens.len() && !self.take_if("}") {
                    self.import_tree(&segments, imports);
                    self.take_if(",");
                }
                return;
            }
            if self.take_if("*") {
                imports.push(Import { path: Path { segments, line }, name: None });
                return;
            }
            match self.take() {
                "self" if !segments.is_empty() => {}
                word => segments.push(word.to_owned()),
            }
            if !self.take_if("::") {
                break;
            }
        }
        let renamed = self.take_if("as").then(|| self.take().to_owned());
        let name = renamed.or_else(|| segments.last().cloned());
        imports.push(Import { path: Path { segments, line }, name });
    }

    /// Takes the attribute whose bracket is next, if its item exists in tests only.
    fn take_attribute_for_tests(&mut self) -> bool {
        let start = self.at;
        self.skip_group();
        let texts: Vec<&str> = self.tokens[start..self.at].iter().map(|token| token.text).collect();
        let is_for_tests = match texts[..] {
            ["[", "test", "]"] => true,
            ["[", "cfg", "(", ref condition @ .., ")", "]"] => requires_tests(condition),
            _ => false,
        };
        if !is_for_tests {
            // It may contain paths.
            self.at = start;
        }
        is_for_tests
    }

    /// Takes everything up to the matching closing bracket.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.tokens.len() {
            match self.take() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Takes the item of an attribute: an item, a field, a variant, an arm or a statement.
    fn skip_item(&mut self) {
        while self.peek(0) == "#" {
            self.at += 1;
            self.skip_group();
        }
        let mut first = 0;
        while ["pub", "(", "crate", "super", "in", ")"].contains(&self.peek(first)) {
            first += 1;
        }
        // These contain braces before their end.
        let ends_with_semicolon = ["use", "type", "static", "let"].contains(&self.peek(first))
            || self.peek(first) == "const" && !["fn", "unsafe", "extern"].contains(&self.peek(first + 1));
        let is_item = ends_with_semicolon
            || [&ITEMS[..], &["mod", "impl", "unsafe", "async", "extern", "macro_rules"]]
                .concat()
                .contains(&self.peek(first));
        loop {
            match self.peek(0) {
                "" | "}" | ")" | "]" => return,
                ";" => return self.at += 1,
                "," if !is_item => return self.at += 1,
                "{" => {
                    self.skip_group();
                    if is_item && !ends_with_semicolon {
                        return;
                    }
                }
                "(" | "[" => self.skip_group(),
                _ => self.at += 1,
            }
        }
    }
}
