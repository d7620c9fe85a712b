//! Access to the tokens of a program: paths of names, brackets, and what a statement assigns to.

use super::tokens::{Kind, NONE, Token, tokens};

/// A program as tokens.
pub(super) struct Program<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) python: bool,
}

/// A path of names: `tools.github.search`.
pub(super) struct Path<'a> {
    pub(super) names: Vec<&'a str>,
    /// The index after its last token.
    pub(super) end: usize,
}

/// Names in a path that are looked at.
const PATH_LIMIT: usize = 16;
/// Tokens of a pattern that are looked at.
pub(super) const PATTERN_LIMIT: usize = 512;

impl<'a> Program<'a> {
    pub(super) fn new(code: &'a str, python: bool) -> Self {
        Self { tokens: tokens(code, python), python }
    }

    pub(super) fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).filter(|token| token.kind != Kind::Text).map_or("", |token| token.text)
    }

    pub(super) fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |at| self.text(at))
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Name)
    }

    pub(super) fn literal(&self, at: usize) -> Option<&'a str> {
        self.tokens.get(at).filter(|token| token.kind == Kind::Text).map(|token| token.text)
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.tokens.get(at).map_or(0, |token| token.line)
    }

    pub(super) fn begins_line(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.begins_line)
    }

    /// The counterpart of a bracket.
    pub(super) fn pair(&self, at: usize) -> Option<usize> {
        index(self.tokens.get(at)?.pair)
    }

    /// The innermost bracket around a token.
    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        index(self.tokens.get(at)?.parent)
    }

    /// The path that begins at this token. `None` in the middle of one.
    pub(super) fn path(&self, at: usize) -> Option<Path<'a>> {
        if !self.is_name(at) || matches!(self.before(at), "." | "?.") {
            return None;
        }
        let (mut names, mut end) = (vec![self.text(at)], at + 1);
        while matches!(self.text(end), "." | "?.") && self.is_name(end + 1) && names.len() < PATH_LIMIT {
            names.push(self.text(end + 1));
            end += 2;
        }
        Some(Path { names, end })
    }

    /// The last name of the path that ends before this token.
    pub(super) fn called(&self, bracket: usize) -> &'a str {
        match bracket.checked_sub(1) {
            Some(at) if self.is_name(at) => self.text(at),
            _ => "",
        }
    }

    /// The names to which a value before `=` at this place is assigned: `a =`, `{ a, b: c } =`, `[a, b] =`, `a[…] =`.
    pub(super) fn targets(&self, equals: usize) -> Vec<&'a str> {
        let Some(mut at) = equals.checked_sub(1) else { return Vec::new() };
        // `name: Type =`
        let mut steps = 0;
        while steps < 32 && self.is_name(at) && self.before(at) == ":" && at >= 2 {
            at -= 2;
            steps += 1;
        }
        match (self.text(at), self.pair(at)) {
            ("]", Some(open)) if self.is_name(open.wrapping_sub(1)) => vec![self.called(open)],
            ("}" | "]" | ")", Some(open)) => self.destructured(open, at),
            _ if self.is_name(at) => {
                let mut names = vec![self.text(at)];
                // `a, b = …`
                while self.before(at) == "," && at >= 2 && self.is_name(at - 2) && names.len() < 64 {
                    at -= 2;
                    names.push(self.text(at));
                }
                names
            }
            _ => Vec::new(),
        }
    }

    /// The names in a pattern between two brackets.
    pub(super) fn destructured(&self, open: usize, close: usize) -> Vec<&'a str> {
        (open + 1..close)
            .take(PATTERN_LIMIT)
            .filter(|at| self.is_name(*at) && matches!(self.text(at + 1), "," | "}" | "]" | ")" | "=" | ""))
            .map(|at| self.text(at))
            .collect()
    }
}

fn index(place: u32) -> Option<usize> {
    (place != NONE).then_some(place as usize)
}
