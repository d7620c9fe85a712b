//! The tokens of a program, as far as they matter for finding calls: names, text, numbers, brackets and operators.
//!
//! This is not the parser of the language. Every text has tokens; in one that is no program they mean nothing, and the
//! interpreter reports the mistake.

/// Tokens of a program that are looked at. Longer programs are decided by their beginning.
const LIMIT: usize = 200_000;

/// The index of no token.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    /// A literal text, without its quotes.
    Text,
    Number,
    /// A bracket, or an operator of one to three characters.
    Sign,
    /// The end of a logical line in Python.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) line: u32,
    /// Of a bracket, the index of its counterpart.
    pub(super) pair: u32,
    /// The index of the innermost open bracket around this token.
    pub(super) parent: u32,
    /// Whether it is the first token of its line.
    pub(super) begins_line: bool,
}

/// Returns the tokens of a program.
pub(super) fn tokens(code: &str, python: bool) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        code,
        at: 0,
        line: 1,
        python,
        begins_line: true,
        tokens: Vec::new(),
        open: Vec::new(),
        templates: Vec::new(),
    };
    while lexer.tokens.len() < LIMIT && lexer.step() {}
    lexer.push(Kind::End, "");
    lexer.tokens
}

/// The end of a text that contains code: `{` in `f"…"`, `${` in a template.
struct Template<'a> {
    quote: &'a str,
    /// The number of open brackets outside of the code in it.
    depth: usize,
}

struct Lexer<'a> {
    code: &'a str,
    at: usize,
    line: u32,
    python: bool,
    begins_line: bool,
    tokens: Vec<Token<'a>>,
    open: Vec<u32>,
    templates: Vec<Template<'a>>,
}

const SIGNS: [&str; 24] = [
    "...", "===", "!==", "**=", "//=", "=>", "==", "!=", "<=", ">=", ":=", "?.", "??", "&&", "||", "+=", "-=", "*=",
    "/=", "**", "->", "++", "--", "|=",
];

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.code.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, kind: Kind, text: &'a str) {
        let parent = self.open.last().copied().unwrap_or(NONE);
        let begins_line = std::mem::take(&mut self.begins_line);
        self.tokens.push(Token { kind, text, line: self.line, pair: NONE, parent, begins_line });
    }

    fn advance(&mut self, length: usize) -> &'a str {
        let end = (self.at + length).min(self.code.len());
        let text = self.code.get(self.at..end).unwrap_or("");
        self.line = self.line.saturating_add(u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX));
        self.at = end;
        text
    }

    /// Reads one token, or what is between tokens. Returns whether there is more.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        if first == '\n' {
            if self.python && self.open.is_empty() {
                self.push(Kind::End, "");
            }
            self.advance(1);
            self.begins_line = true;
        } else if first.is_whitespace() || (first == '\\' && self.python) {
            self.advance(first.len_utf8());
        } else if self.comment(rest) {
        } else if first.is_alphabetic() || first == '_' || first == '$' || first == '#' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '#'));
            let name = self.advance(end.unwrap_or(rest.len()));
            if self.python && self.is_prefix(name) {
                let formatted = name.contains(['f', 'F', 't', 'T']);
                self.quoted(formatted);
            } else {
                self.push(Kind::Name, name);
            }
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            let number = self.advance(end.unwrap_or(rest.len()));
            self.push(Kind::Number, number);
        } else if matches!(first, '"' | '\'') || (first == '`' && !self.python) {
            self.quoted(first == '`');
        } else if first == '/' && !self.python && self.regex_may_begin() {
            self.regex(rest);
        } else {
            self.sign(rest, first);
        }
        true
    }

    /// Skips a comment.
    fn comment(&mut self, rest: &str) -> bool {
        let length = if self.python && rest.starts_with('#') || !self.python && rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if !self.python && rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        self.advance(length);
        true
    }

    /// Whether a name is the prefix of a text: `f"…"`.
    fn is_prefix(&self, name: &str) -> bool {
        name.len() <= 2 && name.bytes().all(|c| b"rbfutRBFUT".contains(&c)) && self.rest().starts_with(['"', '\''])
    }

    /// Reads a text from its opening quote.
    fn quoted(&mut self, has_code: bool) {
        let rest = self.rest();
        let quote = if self.python && (rest.starts_with("\"\"\"") || rest.starts_with("'''")) { 3 } else { 1 };
        let quote = self.advance(quote);
        self.text(quote, has_code);
    }

    /// Reads a text up to its end, or to the code in it.
    fn text(&mut self, quote: &'a str, has_code: bool) {
        let rest = self.rest();
        let mut length = 0;
        let opening = if self.python { "{" } else { "${" };
        let mut ends = quote.len();
        loop {
            let left = rest.get(length..).unwrap_or("");
            let Some(next) = left.chars().next() else {
                ends = 0;
                break;
            };
            if left.starts_with(quote) {
                break;
            }
            if has_code && left.starts_with("{{") && self.python {
                length += 2;
            } else if has_code && left.starts_with(opening) {
                let text = self.advance(length);
                self.push(Kind::Text, text);
                self.advance(opening.len() - 1);
                self.templates.push(Template { quote, depth: self.open.len() });
                let bracket = self.advance(1);
                self.bracket(bracket);
                return;
            } else if next == '\n' && quote.len() == 1 && quote != "`" {
                ends = 0;
                break;
            } else if next == '\\' {
                length += 1 + left.get(1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            } else {
                length += next.len_utf8();
            }
        }
        let text = self.advance(length);
        self.push(Kind::Text, text);
        self.advance(ends);
    }

    /// Whether `/` begins a regular expression, and does not divide.
    fn regex_may_begin(&self) -> bool {
        match self.tokens.last() {
            None => true,
            Some(token) => match token.kind {
                Kind::Name => matches!(token.text, "return" | "typeof" | "case" | "in" | "of" | "await" | "void"),
                Kind::Sign => !matches!(token.text, ")" | "]" | "}"),
                _ => false,
            },
        }
    }

    fn regex(&mut self, rest: &'a str) {
        let (mut escaped, mut in_class) = (false, false);
        let end = rest.char_indices().skip(1).find(|(_, next)| {
            let ends = *next == '\n' || (*next == '/' && !escaped && !in_class);
            match next {
                _ if escaped => {}
                '[' => in_class = true,
                ']' => in_class = false,
                _ => {}
            }
            escaped = *next == '\\' && !escaped;
            ends
        });
        let text = self.advance(end.map_or(rest.len(), |(at, _)| at + 1));
        self.push(Kind::Text, text);
    }

    fn sign(&mut self, rest: &'a str, first: char) {
        if matches!(first, '(' | '[' | '{' | ')' | ']' | '}') {
            let bracket = self.advance(1);
            self.bracket(bracket);
            return;
        }
        let length = SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len());
        let sign = self.advance(length);
        self.push(Kind::Sign, sign);
    }

    fn bracket(&mut self, bracket: &'a str) {
        let place = u32::try_from(self.tokens.len()).unwrap_or(NONE);
        if matches!(bracket, "(" | "[" | "{") {
            self.push(Kind::Sign, bracket);
            self.open.push(place);
            return;
        }
        let opened = self.open.pop();
        self.push(Kind::Sign, bracket);
        if let Some(opened) = opened {
            if let Some(token) = self.tokens.get_mut(opened as usize) {
                token.pair = place;
            }
            if let Some(token) = self.tokens.last_mut() {
                token.pair = opened;
            }
        }
        if bracket == "}"
            && let Some(template) = self.templates.pop_if(|template| template.depth == self.open.len())
        {
            self.text(template.quote, true);
        }
    }
}
