//! The tokens of a program, with the context of each.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Name,
    /// The name of a property: after a dot, or a key of an object literal.
    Property,
    /// A string, between quotes.
    Text,
    /// A number, a template without substitutions or the end of one with some, or a regular expression.
    Literal,
    /// Any other character, or one of `=>`, `?.`, `++` and `--`.
    Mark,
}

/// The meaning of a pair of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Statements that belong to the enclosing statement.
    Block,
    /// The body of a function.
    Function,
    /// The body of a class.
    Class,
    /// An object literal, or a pattern.
    Object,
    /// The parentheses after `if`, `for`, `while`, `with`, `switch` and `catch`.
    Head,
    /// Any other parentheses.
    Parentheses,
    /// Square brackets.
    Square,
    /// A substitution in a template.
    Substitution,
}

/// A token of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether a line break precedes it.
    pub(super) newline: bool,
    /// The number of enclosing pairs of brackets; brackets are outside of their own content.
    pub(super) depth: usize,
    /// Whether an expression can end here.
    pub(super) ends_operand: bool,
    /// For brackets.
    pub(super) frame: Option<Frame>,
}

impl Token {
    /// The text of the token.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether this is the keyword, and not a property of that name.
    pub(super) fn is_keyword(&self, source: &str, word: &str) -> bool {
        self.kind == Kind::Name && self.text(source) == word
    }

    /// Whether this is one of the keywords.
    pub(super) fn is_one_of(&self, source: &str, words: &[&str]) -> bool {
        self.kind == Kind::Name && words.contains(&self.text(source))
    }

    /// Whether this is the punctuator.
    pub(super) fn is_mark(&self, source: &str, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text(source) == mark
    }
}
