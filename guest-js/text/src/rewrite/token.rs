//! Pieces of a program, with what the rest needs to know about where each of them stands.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Name,
    /// The name of a property: behind a dot, or a key of an object literal.
    Property,
    /// A string, between quotes.
    Text,
    /// A number, a template without substitutions or the end of one with some, or a regular expression.
    Literal,
    /// Anything else, one character at a time but for `=>`, `?.`, `++` and `--`.
    Mark,
}

/// What a pair of brackets holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Statements that belong to the statement around them.
    Block,
    /// The body of a function.
    Function,
    /// The body of a class.
    Class,
    /// An object literal, or a pattern.
    Object,
    /// What is behind `if`, `for`, `while`, `with`, `switch` and `catch`.
    Head,
    /// Any other parentheses.
    Parentheses,
    /// Square brackets.
    Square,
    /// A substitution in a template.
    Substitution,
}

/// A piece of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// There is a line break before it.
    pub(super) newline: bool,
    /// How many pairs of brackets are around it; brackets themselves are outside of what they hold.
    pub(super) depth: usize,
    /// An expression can end here.
    pub(super) ends_operand: bool,
    /// For brackets.
    pub(super) frame: Option<Frame>,
}

impl Token {
    /// The token as it is written.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether this is that keyword, and not a property of that name.
    pub(super) fn is_keyword(&self, source: &str, word: &str) -> bool {
        self.kind == Kind::Name && self.text(source) == word
    }

    /// Whether this is one of those keywords.
    pub(super) fn is_one_of(&self, source: &str, words: &[&str]) -> bool {
        self.kind == Kind::Name && words.contains(&self.text(source))
    }

    /// Whether this is that mark.
    pub(super) fn is_mark(&self, source: &str, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text(source) == mark
    }
}
